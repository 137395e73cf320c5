/** A code as scanners read it, drawn as the labels' PDF draws it: sharp at any size. */
import { encodeQR } from "qr";

/** The code's own white border, in its modules, as its standard asks. */
const QUIET = 4;

export type QrDrawing = {
  /** Modules from edge to edge, the border included. */
  side: number;
  /** One rectangle per run of dark modules. */
  path: string;
};

export function drawQr(text: string): QrDrawing {
  const matrix = encodeQR(text, "raw", { ecc: "medium", border: QUIET });
  const runs: string[] = [];
  matrix.forEach((row, y) => {
    let x = 0;
    while (x < row.length) {
      const first = x;
      while (row[x]) x += 1;
      if (x > first) runs.push(`M${first} ${y}h${x - first}v1h${first - x}z`);
      else x += 1;
    }
  });
  return { side: matrix.length, path: runs.join("") };
}
