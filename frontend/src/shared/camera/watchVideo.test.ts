import { watchVideo } from "./watchVideo";

class BrokenWorker {
  static last: BrokenWorker | null = null;
  onerror: ((event: Event) => void) | null = null;
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

afterEach(() => Reflect.deleteProperty(globalThis, "Worker"));

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
