import { decodeQR } from "qr/decode.js";
import { drawQr } from "./qrPath";

const SCALE = 4;

/** The drawing as a camera sees it: dark rectangles on white. */
function picture(text: string) {
  const { side, path } = drawQr(text);
  const width = side * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, ...numbers] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const [left = 0, top = 0, run = 0] = numbers.map(Number);
    for (let y = top * SCALE; y < (top + 1) * SCALE; y += 1) {
      for (let x = left * SCALE; x < (left + run) * SCALE; x += 1) {
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
      }
    }
  }
  return { width, height: width, data };
}

describe("a drawn code", () => {
  it.each(["LOC:A-01", "LOC:Regal Süd 3/07", `LOC:${"B".repeat(100)}`])(
    "is read as what it says: %s",
    (text) => {
      expect(decodeQR(picture(text))).toBe(text);
    },
  );

  it("keeps four modules free around it", () => {
    const { path, side } = drawQr("LOC:A-01");
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));

    expect(Math.min(...runs.map(([x]) => x ?? 0))).toBe(4);
    expect(Math.min(...runs.map(([, y]) => y ?? 0))).toBe(4);
    expect(Math.max(...runs.map(([x = 0, , run = 0]) => x + run))).toBe(side - 4);
  });
});
