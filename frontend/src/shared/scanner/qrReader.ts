/**
 * Reads the QR code in a picture with the browser's detector, or with a library where there is
 * none.
 */

type Detected = { rawValue: string };
type Detector = { detect: (source: CanvasImageSource) => Promise<Detected[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
};

/** The text of the code in the picture, or null. */
export type QrReader = (video: HTMLVideoElement) => Promise<string | null>;

/** More pixels take longer and do not help: a label fills a good part of the picture. */
const LONGEST_SIDE = 960;

export async function newQrReader(): Promise<QrReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector && (await canReadQr(BarcodeDetector))) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
  }
  return libraryReader();
}

async function canReadQr(Detector: DetectorClass): Promise<boolean> {
  // Some systems have the class without a working detector.
  const formats = await Detector.getSupportedFormats().catch((): string[] => []);
  return formats.includes("qr_code");
}

async function libraryReader(): Promise<QrReader> {
  const { decodeQR } = await import("qr/decode.js");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  return async (video) => {
    const { videoWidth, videoHeight } = video;
    if (!context || !videoWidth || !videoHeight) return null;
    const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight));
    const width = Math.round(videoWidth * scale);
    const height = Math.round(videoHeight * scale);
    Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    try {
      return decodeQR(context.getImageData(0, 0, width, height));
    } catch {
      return null; // how the library reports that there is no code
    }
  };
}
