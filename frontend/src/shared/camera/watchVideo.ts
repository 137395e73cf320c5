/** Feeds a video's frames to the worker that detects a still part. */
import { type Cut, cutOf } from "./picture";
import { FRAME, type Look } from "./steady";
import type { FromWatch, ToWatch } from "./steady.worker";

/** Often enough to detect 300 ms of stillness, and slow enough for a phone. */
const EVERY_MS = 40;

/** So many frames in a row that cannot be taken, two seconds: none ever will. */
const MOST_MISSED = 50;

export type Watch = { learnGround: () => void; stop: () => void };

/**
 * Calls `onLook` for each analysed frame until stopped; `cut` is read for each frame. Calls
 * `onFailed` once if the worker cannot be loaded or has crashed, or if the browser gives no frame:
 * no further frame is analysed.
 */
export function watchVideo(
  video: HTMLVideoElement,
  cut: () => Cut,
  onLook: (look: Look) => void,
  onFailed: () => void,
): Watch {
  let worker: Worker;
  try {
    worker = new Worker(new URL("./steady.worker.ts", import.meta.url));
  } catch {
    onFailed();
    return { learnGround: () => undefined, stop: () => undefined };
  }
  const tell = (message: ToWatch, moved: Transferable[] = []) => worker.postMessage(message, moved);
  let stopped = false;
  let busy = false;
  let missed = 0;

  worker.onmessage = ({ data }: MessageEvent<FromWatch>) => {
    busy = false;
    if (!stopped) onLook(data.look);
  };
  const fail = () => {
    if (stopped) return;
    stop();
    onFailed();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  worker.onmessageerror = fail;
  const look = async () => {
    if (busy || video.readyState < video.HAVE_CURRENT_DATA || video.videoWidth === 0) return;
    busy = true;
    try {
      const { left, top, width, height } = cutOf(video.videoWidth, video.videoHeight, cut());
      const bitmap = await createImageBitmap(video, left, top, width, height, {
        resizeWidth: FRAME.width,
        resizeHeight: FRAME.height,
        resizeQuality: "low",
      });
      missed = 0;
      if (stopped) bitmap.close();
      else tell({ bitmap, at: performance.now() }, [bitmap]);
    } catch {
      busy = false; // the video was removed meanwhile, if it is one frame
      missed += 1;
      if (missed >= MOST_MISSED) fail();
    }
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  const stop = () => {
    stopped = true;
    clearInterval(timer);
    worker.terminate();
  };
  return { learnGround: () => tell({ learnGround: true }), stop };
}
