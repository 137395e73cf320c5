/** Files on their way: a reload would lose them, so it is asked about. */
type Listener = (isUploading: boolean) => void;

const listeners = new Set<Listener>();
let count = 0;

/** Calls back when the first upload begins and when the last one has its answer. */
export function onUploads(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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

window.addEventListener("beforeunload", (event) => {
  if (count > 0) event.preventDefault();
});
