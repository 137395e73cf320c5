import { type ComponentType, Suspense, use } from "react";
import { Loading } from "@/shared/ui/states";

type Load = () => Promise<ComponentType>;
type Held = { promise: Promise<ComponentType> | null };

const failed = new Set<Held>();

/**
 * A page in a chunk of its own, shown as "Loading..." until it is there. Not React.lazy: that one
 * keeps a failure for ever, here Dismiss Error tries again (forgetFailedPages).
 */
export function lazyPage(load: Load): ComponentType {
  const held: Held = { promise: null };

  function start(): Promise<ComponentType> {
    const promise = load();
    promise.catch(() => failed.add(held));
    held.promise = promise;
    return promise;
  }
  function Page() {
    const Component = use(held.promise ?? start());
    return <Component />;
  }
  return function LazyPage() {
    return (
      <Suspense fallback={<Loading />}>
        <Page />
      </Suspense>
    );
  };
}

/** Lets pages whose chunk could not be loaded be asked for again. */
export function forgetFailedPages(): void {
  for (const held of failed) held.promise = null;
  failed.clear();
}
