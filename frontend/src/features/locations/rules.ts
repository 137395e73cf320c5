/** What the forms and tables of locations explain beforehand. apps/locations/rules decides. */

import { numberOf, wholeOf } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { keysOf } from "@/shared/lib/records";
import { parseWeight, storedWeightText, weightText } from "@/shared/lib/weight";
import type { ContainerType, Limits, Location } from "./model";

/** The limits as they are typed. */
export type LimitTexts = {
  max_item_count: string;
  max_total_weight: string;
  min_item_weight: string;
  max_item_weight: string;
};

export const noLimits: LimitTexts = {
  max_item_count: "",
  max_total_weight: "",
  min_item_weight: "",
  max_item_weight: "",
};

const MOST_PIECES = 2_147_483_647;

/** Why a text is no count of pieces, or null; blank is no limit. */
export function whyNotCount(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const number = numberOf(trimmed);
  if (!/^\d+$/.test(number)) return "A whole number of pieces, or blank for no limit.";
  return Number(number) > MOST_PIECES ? "That is more than can be counted." : null;
}

export function whyNotWeight(text: string): string | null {
  return parseWeight(text) === undefined ? "A weight such as 250, 1.2 kg, 8 oz or 2 lb." : null;
}

/** Why the lightest and the heaviest piece contradict each other, or null. */
export function whyNotRange(min: string, max: string): string | null {
  const [low, high] = [parseWeight(min), parseWeight(max)];
  if (!low || !high) return null;
  return Number(low) > Number(high) ? "The lightest piece must not outweigh the heaviest." : null;
}

/** The typed limits as the wire carries them. Texts that cannot be read must not come here. */
export function limitsOf(texts: LimitTexts): Limits {
  const count = texts.max_item_count.trim();
  return {
    max_item_count: count === "" ? null : wholeOf(count),
    max_total_weight: parseWeight(texts.max_total_weight) ?? null,
    min_item_weight: parseWeight(texts.min_item_weight) ?? null,
    max_item_weight: parseWeight(texts.max_item_weight) ?? null,
  };
}

export function textsOf(limits: Limits): LimitTexts {
  return {
    max_item_count: limits.max_item_count === null ? "" : String(limits.max_item_count),
    max_total_weight: weightText(limits.max_total_weight),
    min_item_weight: weightText(limits.min_item_weight),
    max_item_weight: weightText(limits.max_item_weight),
  };
}

/** Takes a limit away, where a blank one stays as it is. */
export const NONE = "none";

/** The limits to set of many: blank ones are left out. Texts that cannot be read must not come here. */
export function changesOf(texts: LimitTexts): Partial<Limits> {
  const names = keysOf(texts);
  const said = names.filter((name) => texts[name].trim() !== "");
  const read = (name: keyof LimitTexts) =>
    texts[name].trim().toLowerCase() === NONE ? "" : texts[name];
  const all = limitsOf({
    max_item_count: read("max_item_count"),
    max_total_weight: read("max_total_weight"),
    min_item_weight: read("min_item_weight"),
    max_item_weight: read("max_item_weight"),
  });
  return Object.fromEntries(said.map((name) => [name, all[name]]));
}

/** A type's limits as texts that set them, also where it has none. */
export function setTextsOf(limits: Limits): LimitTexts {
  const texts = textsOf(limits);
  const names = keysOf(texts);
  for (const name of names) texts[name] ||= NONE;
  return texts;
}

/** What the typed limits leave no room for, in sentences; nothing while they cannot be read. */
export function belowContent(
  texts: LimitTexts,
  content: Pick<Location, "item_count" | "stored_weight" | "unknown_weight_count">,
): string[] {
  const count = texts.max_item_count.trim();
  const weight = parseWeight(texts.max_total_weight);
  const warnings: string[] = [];
  if (count !== "" && whyNotCount(count) === null && wholeOf(count) < content.item_count) {
    const over = content.item_count - wholeOf(count);
    warnings.push(
      `It holds ${counted(content.item_count, "piece")}, ${formatCount(over)} more than this limit.`,
    );
  }
  if (weight && Number(weight) < Number(content.stored_weight)) {
    warnings.push(`It holds ${storedWeightText(content)}, more than this limit.`);
  }
  return warnings;
}

export type Fill = {
  used: number;
  /** Null: unlimited. */
  limit: number | null;
  /** 0 to 1, and above when over. Null: unlimited. */
  share: number | null;
  state: "open" | "nearlyFull" | "full" | "over";
};

/** From here on a location counts as nearly full. */
export const NEARLY_FULL = 0.9;

export function fillOf(used: number, limit: number | null): Fill {
  if (limit === null) return { used, limit, share: null, state: "open" };
  const share = limit === 0 ? (used > 0 ? 2 : 1) : used / limit;
  const state =
    share > 1 ? "over" : share === 1 ? "full" : share >= NEARLY_FULL ? "nearlyFull" : "open";
  return { used, limit, share, state };
}

export const countFill = (row: Pick<Location, "item_count" | "max_item_count">): Fill =>
  fillOf(row.item_count, row.max_item_count);

export const weightFill = (row: Pick<Location, "stored_weight" | "max_total_weight">): Fill =>
  fillOf(
    Number(row.stored_weight),
    row.max_total_weight === null ? null : Number(row.max_total_weight),
  );

/** Cabinets to begin with: a pattern each. */
export const STARTERS = [
  { label: "6 × 10 drawers", pattern: "A-[1-6]-[01-10]" },
  { label: "A shelf with 12 boxes", pattern: "S-[01-12]" },
] as const;

/** Whether choosing this type may fill in its limits: nothing was typed yet. */
export function mayTakeDefaults(texts: LimitTexts, before: ContainerType | undefined): boolean {
  const known = before ? textsOf(before) : noLimits;
  return keysOf(noLimits).every((name) => texts[name].trim() === "" || texts[name] === known[name]);
}
