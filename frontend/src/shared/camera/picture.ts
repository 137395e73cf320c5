/** Prepares pictures for the recogniser: cropped, white-balanced, reduced, as JPEG. */

/** The recogniser uses no more pixels than this. */
const LONG_SIDE = 1024;
const QUALITY = 0.85;

/** The middle of the picture, as a share of its sides: 1 is all of it. */
export type Cut = 1 | 0.75 | 0.5;
export const CUTS: readonly Cut[] = [1, 0.75, 0.5];

/** White in the present light: red, green, blue from 0 to 255. */
export type White = readonly [number, number, number];

export type Box = { left: number; top: number; width: number; height: number };

/** The middle of a picture of this size. */
export function cutOf(width: number, height: number, cut: Cut): Box {
  const box = { width: Math.round(width * cut), height: Math.round(height * cut) };
  return {
    left: Math.round((width - box.width) / 2),
    top: Math.round((height - box.height) / 2),
    ...box,
  };
}

/** The size in which a picture is sent. */
export function sentSize(width: number, height: number): { width: number; height: number } {
  const shrink = Math.min(1, LONG_SIDE / Math.max(width, height));
  return { width: Math.round(width * shrink), height: Math.round(height * shrink) };
}

/** The factor of each channel that turns `white` into grey; at most 1. */
export function balanceOf([red, green, blue]: White): White {
  const least = Math.max(1, Math.min(red, green, blue));
  const part = (channel: number) => Math.round((255 * least) / Math.max(least, channel));
  return [part(red), part(green), part(blue)];
}

/** The camera's picture as it is now. */
export async function captureFrame(
  video: HTMLVideoElement,
  { cut, white }: { cut: Cut; white: White | null },
): Promise<Blob> {
  if (video.readyState < video.HAVE_CURRENT_DATA) await firstFrame(video);
  const box = cutOf(video.videoWidth, video.videoHeight, cut);
  return encoded(video, box, white);
}

/** The longest time that a camera may take for its first picture. */
const FIRST_FRAME_MS = 5000;

function firstFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error("The camera shows no picture yet.")),
      FIRST_FRAME_MS,
    );
    video.addEventListener(
      "loadeddata",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** The server's limit for a file; reduced pictures are far smaller. */
export const MAX_BYTES = 20_000_000;

/**
 * Returns a picture file, reduced. A file that this browser cannot decode is sent unchanged, and
 * the server reports the reason. Throws if it is too large for that.
 */
export async function shrunk(file: Blob): Promise<Blob> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    if (file.size <= MAX_BYTES) return file;
    const size = Math.round(file.size / 1e6);
    throw new Error(
      `This browser cannot read the file, and ${size} MB are too many to send. Choose a JPEG, PNG or WebP, or a smaller copy.`,
    );
  }
  try {
    const { width, height } = bitmap;
    return await encoded(bitmap, { left: 0, top: 0, width, height }, null);
  } finally {
    bitmap.close();
  }
}

/** The mean colour of the middle of the camera's picture: white, if a white sheet is there. */
export function whiteOf(video: HTMLVideoElement): White | null {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const box = cutOf(video.videoWidth, video.videoHeight, 0.5);
  if (!pen || box.width === 0) return null;
  pen.drawImage(video, box.left, box.top, box.width, box.height, 0, 0, 16, 16);
  const { data } = pen.getImageData(0, 0, 16, 16);
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 1) {
    if (at % 4 < 3) sums[at % 4] = (sums[at % 4] ?? 0) + (data[at] ?? 0);
  }
  const [red = 0, green = 0, blue = 0] = sums.map((sum) => sum / 256);
  return [red, green, blue];
}

async function encoded(source: CanvasImageSource, box: Box, white: White | null): Promise<Blob> {
  const { width, height } = sentSize(box.width, box.height);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d", { alpha: false });
  if (!pen) throw new Error("This browser cannot draw the picture.");
  pen.fillStyle = "white";
  pen.fillRect(0, 0, width, height);
  pen.drawImage(source, box.left, box.top, box.width, box.height, 0, 0, width, height);
  if (white) {
    pen.globalCompositeOperation = "multiply";
    pen.fillStyle = `rgb(${balanceOf(white).join(" ")})`;
    pen.fillRect(0, 0, width, height);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))),
      "image/jpeg",
      QUALITY,
    );
  });
}
