/** Labels as the dialog thinks of them: papers, positions, what is asked for. */
import type { BodyOf, Filters, Schema } from "@/shared/api/wire";
import { numberOf, whyNotWhole } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";

export type LabelLayout = Schema<"LabelLayoutRow">;

export type LabelRequest = {
  choice: LabelChoice;
  body: BodyOf<"post", "inventoryLocations/labels">;
};

export type LabelPlan = Omit<Schema<"LabelPlanRow">, "label_sizes"> &
  Partial<Pick<Schema<"LabelPlanRow">, "label_sizes">>;

/** What is printed: chosen locations, or all that a list's filters leave; or batches. */
export type LabelChoice = {
  of?: "locations" | "batches";
  ids: readonly number[] | null;
  count: number;
  params?: Readonly<Record<string, string | number | undefined>>;
};

const PAGING = new Set(["page", "page_size", "ordering"]);

/** The list's filters, for locations that are not chosen one by one. */
export const labelFilters = ({ ids, params = {} }: LabelChoice): Filters =>
  ids
    ? {}
    : Object.fromEntries(
        Object.entries(params).filter(([name, value]) => value && !PAGING.has(name)),
      );

/** "1 bin", "3 batches". */
export function labelled({ of = "locations", count }: LabelChoice): string {
  const [one, many] = of === "batches" ? ["batch", "batches"] : ["bin", "bins"];
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/**
 * The paper to begin with: the one that all container types name, else the one used last. `mixed`:
 * they name several, or not all of them name one.
 */
export function firstLayout(
  layouts: readonly LabelLayout[],
  lastUsed: string,
  sizes: readonly string[] = [],
): { layout: LabelLayout | undefined; from: "type" | "last" | "mixed" } {
  const known = new Map<string, LabelLayout>(layouts.map((layout) => [layout.id, layout]));
  const last = known.get(lastUsed) ?? layouts[0];
  const named = sizes.filter((size) => known.has(size));
  if (named.length === 0) return { layout: last, from: "last" };
  if (sizes.length > 1) return { layout: last, from: "mixed" };
  return { layout: known.get(named[0] ?? ""), from: "type" };
}

export type Spot = {
  position: number;
  /** Millimetres. */
  left: number;
  top: number;
  state: "used" | "printed" | "free";
  name: string;
};

/** The first sheet: which of its positions are used up, printed now, and still free. */
export function firstSheet(
  layout: LabelLayout,
  start: number,
  count: number,
  names: readonly string[],
): Spot[] {
  return Array.from({ length: layout.per_page }, (_, index) => {
    const number = index - (start - 1);
    return {
      position: index + 1,
      left: layout.left + (index % layout.columns) * layout.across,
      top: layout.top + Math.floor(index / layout.columns) * layout.down,
      state: number < 0 ? "used" : number < count ? "printed" : "free",
      name: names[number] ?? "",
    };
  });
}

/** The first free position after printing; 1 where the last sheet is used up, or is a roll. */
export function nextStart(layout: LabelLayout, start: number, count: number): number {
  return ((start - 1 + count) % layout.per_page) + 1;
}

/** Why a text is no position of the sheet, or null. */
export function whyNotStart(text: string, layout: LabelLayout): string | null {
  const problem = whyNotWhole(text, 1, layout.per_page);
  return problem && `A position of the sheet, 1 to ${layout.per_page}.`;
}

/** Why a text is no correction of the printer, or null. */
export function whyNotShift(text: string): string | null {
  const value = Number(numberOf(text));
  return Number.isFinite(value) && Math.abs(value) <= 20 ? null : "At most 20 mm.";
}
