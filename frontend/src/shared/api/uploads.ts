/** Files on their way: where a reload would lose them, it is asked about. */
type Listener = (isUploading: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;
/** Those that a reload does not lose. */
let keptCount = 0;

/** Calls back when the first upload begins and when the last one has its answer. */
export function onUploads(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isUploading = (): boolean => count > 0;

/** Counts an upload while `send` is under way. */
export async function uploading<Result>(send: () => Promise<Result>): Promise<Result> {
  change(1);
  try {
    return await send();
  } finally {
    change(-1);
  }
}

function change(by: number): void {
  const before = count;
  count += by;
  if (before > 0 !== count > 0) for (const listener of listeners) listener(count > 0);
}

/** One of them survives a reload, until the returned function is called. */
export function keptUpload(): () => void {
  keptCount += 1;
  return () => {
    keptCount -= 1;
  };
}

window.addEventListener("beforeunload", (event) => {
  if (count > keptCount) event.preventDefault();
});
