/** What the import's dialogs explain. apps/inventory/services/bsx_sync decides. */
import type { SeveralChoice, SeveralQuestion } from "@/features/locations/public";
import { counted, formatCount, formatMoney } from "@/shared/lib/format";
import { weightText } from "@/shared/lib/weight";
import type { BinGroup, InventorySync, SyncCounts, SyncRow, SyncWarning } from "./model";

const noCounts: SyncCounts = {
  lots: 0,
  pieces: 0,
  value: "",
  uploaded: 0,
  tied: 0,
  joined: 0,
  created: 0,
  changed: 0,
  zeroed: 0,
  unchanged: 0,
  unreadable: 0,
  unknown: 0,
  unknown_created: 0,
  unknown_changed: 0,
  unknown_conditions: 0,
  warnings: 0,
  in_stock: 0,
  to_confirm: 0,
  new_locations: 0,
  left_out_names: 0,
  matched_locations: 0,
  ignored_remarks: 0,
};

export const countsOf = (sync: Pick<InventorySync, "counts">): SyncCounts => ({
  ...noCounts,
  ...sync.counts,
});

/** The number to type before it is applied; null for none. inventory/rules/wrong_store.py decides. */
export const countToType = ({ to_confirm }: Pick<SyncCounts, "to_confirm">): number | null =>
  to_confirm > 0 ? to_confirm : null;

/** Whether it was pulled from the store, and no file was dropped. */
export const isOfStore = ({ read_from }: Pick<InventorySync, "read_from">): boolean =>
  read_from === "store";

/** Whether its lots become a batch, or join one; else they are put over the stock. */
export const isOfBatch = ({ target }: Pick<InventorySync, "target">): boolean => target === "batch";

/** The lots of a file with their pieces and what they are worth, once these are known. */
export function contentWords(counts: SyncCounts, currency = ""): string {
  const pieces = counts.pieces > 0 && `, ${counted(counts.pieces, "piece")}`;
  const value = Number(counts.value) > 0 && ` worth ${formatMoney(counts.value, currency)}`;
  return [lotsText(counts.lots), pieces, value].filter(Boolean).join("");
}

/** What was read, as a sentence names it. */
export const readWords = (sync: Pick<InventorySync, "read_from">): string =>
  isOfStore(sync) ? "the store" : "this file";

/** What is said of a file that looks like another store's, or null. */
export const anotherStore = ({ warnings }: Pick<InventorySync, "warnings">): string | null =>
  warnings.find(({ code }) => code === "another_store")?.message ?? null;

export const changesNothing = (counts: SyncCounts): boolean =>
  counts.created +
    counts.changed +
    counts.zeroed +
    counts.unknown_created +
    counts.unknown_changed +
    counts.uploaded +
    counts.tied ===
  0;

const becomesWords: Record<SyncRow["becomes"], string> = {
  created: "New",
  changed: "Changed",
  zeroed: "Set to 0",
  unchanged: "As it was",
  unreadable: "Not imported",
};

export const becomesText = (row: Pick<SyncRow, "becomes">): string => becomesWords[row.becomes];

export type CurrencyQuestion = { file: string; store: string };

/** The two currencies, while the person has not decided between them. */
export function currencyQuestion(
  sync: Pick<InventorySync, "warnings" | "options">,
): CurrencyQuestion | null {
  const told = sync.warnings.find((warning) => warning.code === "currency_differs");
  if (!told?.file_currency || !told.store_currency || sync.options.currency_action) return null;
  return { file: told.file_currency, store: told.store_currency };
}

/** What is asked where Remarks name several locations. It stays: the answer can be changed. */
export function severalQuestion(sync: Pick<InventorySync, "warnings">): SeveralQuestion | null {
  const told = sync.warnings.find((warning) => warning.code === "several_locations");
  if (!told) return null;
  const { lots = 0, divisible = 0, separators = [], examples = [] } = told;
  return { lots, divisible, separators, examples };
}

/** What this preview shows of it. Those made before there was a choice have none. */
export function choiceOf({ options }: Pick<InventorySync, "options">): SeveralChoice {
  const { several_locations = "ignore", split_quantities = false } = options;
  return { several_locations, split_quantities };
}

const asked: readonly string[] = ["currency_differs", "several_locations", "another_store"];

/** What only informs. */
const informs: readonly string[] = ["currency_adopted", "never_written", "uploaded", "tied"];

export const toneOf = ({ code }: Pick<SyncWarning, "code">): "info" | "warning" =>
  informs.includes(code) ? "info" : "warning";

/** Warnings to read; what is asked about has a place of its own. */
export const plainWarnings = (warnings: readonly SyncWarning[]): SyncWarning[] =>
  warnings.filter(({ code }) => !asked.includes(code));

export const lotsText = (count: number): string => counted(count, "lot");

/** What the file's Remarks are to locations, beside those that it would make: sentences or "". */
export function locationWords(
  counts: Pick<SyncCounts, "matched_locations" | "ignored_remarks">,
): string {
  const { matched_locations: matched, ignored_remarks: ignored } = counts;
  return [
    matched > 0 && `${counted(matched, "bin exists", "bins exist")} already.`,
    ignored > 0 &&
      `${lotsText(ignored)} ${ignored === 1 ? "has" : "have"} Remarks without the name of a bin.`,
  ]
    .filter(Boolean)
    .join(" ");
}

const doubts: Record<Exclude<BinGroup["doubt"], "">, string> = {
  color: "Colour names: kept as remarks",
  part: "Numbers of parts: kept as remarks",
  sentence: "Look like notes: kept as remarks",
  twin: "",
  refused: "Kept as remarks, as you said before",
};

/** Why names are taken for bins or not. */
export function doubtText(group: BinGroup): string {
  if (group.doubt === "twin") return `Nearly the same as “${group.twin_of}”: kept as remarks`;
  if (group.doubt !== "") return doubts[group.doubt];
  if (group.is_series) return "Numbered";
  return group.names.length === 1 ? "A single name" : "Single names";
}

/** The names of a group in short: "A-01 to A-24", or the first ones. */
export function groupTitle({ names, is_series }: BinGroup): string {
  const first = names.slice(0, 3).map(({ name }) => name);
  const last = names.at(-1)?.name;
  if (is_series) return `${names[0]?.name} to ${last}`;
  return names.length > 3 ? `${first.join(", ")}, …` : first.join(", ");
}

/** Whether a name becomes a bin, by what was ticked since the preview. */
export const isBin = (
  group: Pick<BinGroup, "doubt">,
  name: string,
  said: Readonly<Record<string, boolean>>,
): boolean => said[name] ?? group.doubt === "";

/** How many names become bins, by what was ticked since the preview. */
export const binsIn = (
  groups: readonly BinGroup[],
  said: Readonly<Record<string, boolean>>,
): number =>
  groups.reduce(
    (sum, group) => sum + group.names.filter(({ name }) => isBin(group, name, said)).length,
    0,
  );

/** Whether a pattern has its one star; none at all takes the pattern back. */
export const isStar = (pattern: string): boolean =>
  pattern === "" || pattern.split("*").length === 2;

const reasons: Record<string, string> = {
  unknown_item: "This item is not in the catalogue.",
  unknown_color: "This colour is not in the catalogue.",
  unsaid_color: "The file does not say its colour: choose one after the import.",
  unknown_condition: "Its condition was not understood: choose new or used after the import.",
};

export const reasonWords = (reason: string): string => reasons[reason] ?? reason;

const fieldNames: Record<string, string> = {
  quantity: "Quantity",
  location: "Bin",
  lot: "Catalogue lot",
  condition: "Condition",
  sub_condition: "Sub-condition",
  price: "Price",
  cost: "Cost",
  bulk: "Bulk",
  sale: "Sale",
  comments: "Comments",
  remarks: "Remarks",
  reserved: "Reserved for",
  marketplace_lot_id: "Lot id",
  retain: "Retain",
  stockroom: "Stockroom",
  status: "Status",
  unit_weight_grams: "Weight",
  marker_text: "Marker",
  marker_color: "Marker colour",
  date_added: "Date added",
  date_last_sold: "Last sold",
  extra: "Other tags",
};

const tier = /^t([qp])([123])$/;
const money = new Set(["price", "cost", "tp1", "tp2", "tp3"]);
const conditions: Record<string, string> = { N: "New", U: "Used" };

export function fieldName(field: string): string {
  const [, kind, number] = field.match(tier) ?? [];
  if (kind) return `Tier ${number} ${kind === "q" ? "quantity" : "price"}`;
  return fieldNames[field] ?? field;
}

/** A value of the file or of the stock, as people read it. */
export function fieldText(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (money.has(field)) return formatMoney(String(value));
  if (field === "condition") return conditions[String(value)] ?? String(value);
  if (field === "unit_weight_grams") return weightText(String(value));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return formatCount(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export type FieldChange = { field: string; name: string; before: string; after: string };

export function fieldChanges(row: Pick<SyncRow, "changes">): FieldChange[] {
  return Object.entries(row.changes).map(([field, { before, after }]) => ({
    field,
    name: fieldName(field),
    before: fieldText(field, before),
    after: fieldText(field, after),
  }));
}

/** One line about the state or the result of an import, for the history. */
export function stateWords(sync: Pick<InventorySync, "state" | "applied_lots">): string {
  switch (sync.state) {
    case "previewing":
      return "Preview under way";
    case "previewed":
      return "Waits for your decision";
    case "applying":
      return "Being applied";
    case "applied":
      return "Applied";
    case "undoing":
      return "Being undone";
    case "undone":
      return "Undone";
    case "cancelled":
      return sync.applied_lots ? "Stopped half-way" : "Cancelled";
    case "failed":
      return "Failed";
  }
}

/** Whether the import changed stock that an undo would restore. */
export const canUndo = (sync: Pick<InventorySync, "state" | "applied_lots">): boolean =>
  sync.state === "applied" ||
  ((sync.state === "cancelled" || sync.state === "failed") && (sync.applied_lots ?? 0) > 0);
