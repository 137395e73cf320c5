import { watchVideo } from "./watchVideo";

class BrokenWorker {
  static last: BrokenWorker | null = null;
  onerror: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  terminated = false;
  constructor() {
    BrokenWorker.last = this;
  }
  postMessage() {}
  terminate() {
    this.terminated = true;
  }
}

const watch = (onFailed: () => void) =>
  watchVideo(
    document.createElement("video"),
    () => 1,
    () => undefined,
    onFailed,
  );

afterEach(() => {
  Reflect.deleteProperty(globalThis, "Worker");
  Reflect.deleteProperty(globalThis, "createImageBitmap");
  jest.useRealTimers();
});

it("says once that its worker did not load, and ends it", () => {
  Object.assign(globalThis, { Worker: BrokenWorker });
  const onFailed = jest.fn();
  watch(onFailed);

  BrokenWorker.last?.onerror?.(new Event("error", { cancelable: true }));
  BrokenWorker.last?.onerror?.(new Event("error", { cancelable: true }));

  expect(onFailed).toHaveBeenCalledTimes(1);
  expect(BrokenWorker.last?.terminated).toBe(true);
});

it("says so too where there are no workers", () => {
  const onFailed = jest.fn();

  watch(onFailed).stop();

  expect(onFailed).toHaveBeenCalledTimes(1);
});

describe("a frame that cannot be taken", () => {
  /** A video that plays, in a browser that takes its frames with `take`. */
  function playing(take: () => Promise<ImageBitmap>) {
    jest.useFakeTimers();
    Object.assign(globalThis, { Worker: BrokenWorker, createImageBitmap: jest.fn(take) });
    const video = document.createElement("video");
    Object.defineProperties(video, {
      readyState: { value: video.HAVE_ENOUGH_DATA },
      videoWidth: { value: 640 },
      videoHeight: { value: 480 },
    });
    const onFailed = jest.fn();
    watchVideo(
      video,
      () => 1,
      () => undefined,
      onFailed,
    );
    return onFailed;
  }
  const refused = () => Promise.reject(new DOMException("no such options", "InvalidStateError"));

  it("ends it where the browser takes none", async () => {
    const onFailed = playing(refused);

    await jest.advanceTimersByTimeAsync(1000);
    expect(onFailed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(2000);

    expect(onFailed).toHaveBeenCalledTimes(1);
    expect(BrokenWorker.last?.terminated).toBe(true);
  });

  it("is passed over where others can be", async () => {
    let count = 0;
    const bitmap = { close: () => undefined } as ImageBitmap;
    const onFailed = playing(() => {
      count += 1;
      // Its worker has answered when the next one is taken.
      BrokenWorker.last?.onmessage?.({ data: { look: "empty" } } as MessageEvent);
      return count % 10 === 0 ? Promise.resolve(bitmap) : refused();
    });

    await jest.advanceTimersByTimeAsync(10_000);

    expect(count).toBeGreaterThan(50);
    expect(onFailed).not.toHaveBeenCalled();
  });
});
