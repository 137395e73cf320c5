import { type ComponentType, type ReactNode, useEffect, useReducer } from "react";
import { canReach, onLineBack } from "@/shared/lib/line";
import { toast } from "./toast";

type Held = { promise: Promise<void> | null; error: unknown };

const failed = new Set<Held>();

function untilBack(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.removeEventListener("online", done);
      stop();
      resolve();
    };
    window.addEventListener("online", done);
    const stop = onLineBack(done);
  });
}

/** Without a connection the chunk has not failed: it is fetched once the connection returns. */
async function whenOnline<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine && (await canReach())) throw error;
    await untilBack();
    return load();
  }
}

/**
 * A component in its own chunk, loaded when it is first rendered, or earlier by `preload`. It
 * replaces React.lazy, which caches a failure for ever; here forgetFailedParts allows a retry, and
 * a preloaded component renders at once. Failures are thrown to the error boundary, except a lost
 * connection: the page must stay as it is and wait.
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
    // What was rendered counts: the chunk may arrive before the effect runs.
    const isDrawn = Component !== null;
    useEffect(() => {
      if (isDrawn) return;
      let mounted = true;
      void start().then(() => mounted && drawAgain());
      if (!Component && !navigator.onLine) {
        toast.info("No connection: this opens as soon as it is back.", { id: "offlinePart" });
      }
      return () => {
        mounted = false;
      };
    }, [isDrawn]);
    if (held.error) throw held.error;
    return Component ? <Component {...props} /> : fallback;
  }
  /** Preloads the chunk. A failure shows when the component is rendered. */
  LazyPart.preload = (): void => void start();
  return LazyPart;
}

/** The same for a component that is generic in its rows. */
export const genericPart = <Part extends (props: never) => ReactNode>(
  load: () => Promise<Part>,
  fallback: ReactNode = null,
) => lazyPart<never>(load, fallback) as unknown as Part & { preload: () => void };

/** Allows a retry of chunks that failed to load. */
export function forgetFailedParts(): void {
  for (const held of failed) {
    held.promise = null;
    held.error = null;
  }
  failed.clear();
}
