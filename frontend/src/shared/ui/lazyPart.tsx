import { type ComponentType, type ReactNode, Suspense, use } from "react";

type Held<Props> = {
  component: ComponentType<Props> | null;
  promise: Promise<ComponentType<Props>> | null;
};

const failed = new Set<Held<never>>();

/**
 * A component in a chunk of its own, fetched when it is first rendered, or before by `preload`.
 * Not React.lazy: that one keeps a failure for ever, here forgetFailedParts tries again; and what
 * has been preloaded is drawn at once.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
) {
  const held: Held<Props> = { component: null, promise: null };

  function start(): Promise<ComponentType<Props>> {
    held.promise ??= load().then((component) => {
      held.component = component;
      return component;
    });
    held.promise.catch(() => failed.add(held as Held<never>));
    return held.promise;
  }
  function Loaded(props: Props) {
    const Component = held.component ?? use(start());
    return <Component {...props} />;
  }
  function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback}>
        <Loaded {...props} />
      </Suspense>
    );
  }
  /** Fetches ahead; a failure shows when the part is rendered. */
  LazyPart.preload = () => void start().catch(() => undefined);
  return LazyPart;
}

/** Lets parts whose chunk could not be fetched be asked for again. */
export function forgetFailedParts(): void {
  for (const held of failed) held.promise = null;
  failed.clear();
}
