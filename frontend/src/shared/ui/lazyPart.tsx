import { type ComponentType, type ReactNode, useEffect, useReducer } from "react";
import { toast } from "./toast";

type Held = { promise: Promise<void> | null; error: unknown };

const failed = new Set<Held>();

/** Without a connection a part is no failure: it is fetched once the line is back. */
async function whenOnline<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
    await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    return load();
  }
}

/**
 * A component in a chunk of its own, fetched when it is first rendered, or before by `preload`.
 * Not React.lazy: that one keeps a failure for ever, here forgetFailedParts tries again; and what
 * has been preloaded is drawn at once. A failure is thrown to the error boundary, but for a line that
 * is down: what is on the page, and waits for it, must stay.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
) {
  const held: Held = { promise: null, error: null };
  let Component: ComponentType<Props> | null = null;

  function start(): Promise<void> {
    held.promise ??= whenOnline(load).then(
      (loaded) => {
        Component = loaded;
      },
      (error) => {
        held.error = error;
        failed.add(held);
      },
    );
    return held.promise;
  }
  function LazyPart(props: Props) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    useEffect(() => {
      let mounted = true;
      if (!Component) void start().then(() => mounted && drawAgain());
      if (!Component && !navigator.onLine) {
        toast.info("No connection: this opens as soon as it is back.", { id: "offlinePart" });
      }
      return () => {
        mounted = false;
      };
    }, []);
    if (held.error) throw held.error;
    return Component ? <Component {...props} /> : fallback;
  }
  /** Fetches ahead; a failure shows when the part is rendered. */
  LazyPart.preload = (): void => void start();
  return LazyPart;
}

/** Lets parts whose chunk could not be fetched be asked for again. */
export function forgetFailedParts(): void {
  for (const held of failed) {
    held.promise = null;
    held.error = null;
  }
  failed.clear();
}
