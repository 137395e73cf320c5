/** Uploads under way. Where a reload would lose one, the page asks first. */
type Listener = (isUploading: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;
/** Uploads that survive a reload. */
let keptCount = 0;

/** Calls back when the first upload starts and when the last one has its answer. */
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

/** Marks one upload as surviving a reload, until the returned function is called. */
export function keptUpload(): () => void {
  keptCount += 1;
  return () => {
    keptCount -= 1;
  };
}

window.addEventListener("beforeunload", (event) => {
  if (count > keptCount) event.preventDefault();
});
