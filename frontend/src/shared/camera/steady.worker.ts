/** Watches the camera's frames in a worker. Input: a bitmap; output: its state. */
import { FRAME, type Look, SteadyWatch } from "./steady";

export type ToWatch = { bitmap: ImageBitmap; at: number } | { learnGround: true };
export type FromWatch = { look: Look; at: number };

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<ToWatch>) => void) | null;
  postMessage: (message: FromWatch) => void;
};
const watch = new SteadyWatch();
const canvas = new OffscreenCanvas(FRAME.width, FRAME.height);
const pen = canvas.getContext("2d", { willReadFrequently: true, alpha: false });

scope.onmessage = ({ data }) => {
  if ("learnGround" in data) return watch.learnGround();
  const { bitmap, at } = data;
  pen?.drawImage(bitmap, 0, 0, FRAME.width, FRAME.height);
  bitmap.close();
  const frame = pen?.getImageData(0, 0, FRAME.width, FRAME.height).data;
  if (frame) scope.postMessage({ look: watch.feed(frame, at), at });
};
