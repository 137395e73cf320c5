/** What a scale says about a parcel: the difference to its pieces, named. Pure. */
import { counted, formatWeight } from "@/shared/lib/format";
import type { OrderLine } from "./model";

/** Scales and moulds differ: so much is no piece more or less. */
const LEAST_GRAMS = 2;
const SHARE = 0.02;

export type Weighing = { tone: "success" | "warning" | "info"; text: string };

type Weighed = Pick<
  OrderLine,
  "item_name" | "item_number" | "color_name" | "piece_grams" | "picked"
>;

/** Compares grams on the scale with those of the pieces and the packaging. */
export function weighing(parcel: {
  expected: number | null;
  box: number;
  weighed: number;
  unweighed: number;
  lines: readonly Weighed[];
}): Weighing {
  const { expected, box, weighed, unweighed, lines } = parcel;
  if (expected === null) {
    return { tone: "info", text: "None of its pieces has a known weight to compare with." };
  }
  const difference = weighed - expected - box;
  const grams = formatWeight(Math.abs(difference).toFixed(1));
  if (Math.abs(difference) <= Math.max(LEAST_GRAMS, expected * SHARE)) {
    return { tone: "success", text: `The weight fits: ${grams} off.` };
  }
  const left = unweighed > 0 ? ` ${counted(unweighed, "piece")} have no known weight.` : "";
  if (difference > 0) {
    const why = box > 0 || unweighed > 0 ? "" : " If it is the packaging, enter its weight.";
    return unweighed > 0
      ? { tone: "info", text: `${grams} more than the pieces whose weight is known.${left}` }
      : { tone: "warning", text: `${grams} too heavy: too many pieces?${why}` };
  }
  const line = likely(lines, -difference);
  const guess = line && ` That is the weight of ${line}.`;
  return { tone: "warning", text: `${grams} too light: are pieces missing?${guess ?? ""}${left}` };
}

/** The lot of which a few pieces weigh as much as is missing, if there is one. */
function likely(lines: readonly Weighed[], grams: number): string | undefined {
  const fits = lines.flatMap((line) => {
    const each = Number(line.piece_grams ?? 0);
    const pieces = each > 0 ? Math.round(grams / each) : 0;
    if (pieces < 1 || pieces > line.picked) return [];
    return [{ line, pieces, off: Math.abs(grams - pieces * each) / grams }];
  });
  const [best] = fits.sort((one, two) => one.off - two.off || one.pieces - two.pieces);
  if (!best || best.off > 0.2) return undefined;
  const { line, pieces } = best;
  return `${pieces} × ${line.item_name || line.item_number} ${line.color_name}`.trim();
}
