/** What is typed of an item before it is added, and what is to be sent of it. */
import {
  type CatalogItem,
  type CatalogLot,
  type ColorOption,
  NO_COLOR,
} from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import { priceOf, wholeOf, whyNotPieces, whyNotPrice } from "@/shared/lib/amounts";

export type Draft = {
  itemText: string;
  item: CatalogItem | null;
  /** Null until the person changes it: then the proposed colour applies. */
  colorText: string | null;
  color: ColorOption | null;
  quantity: string;
  /** Null until the person changes it: then the suggested one applies. */
  price: string | null;
  location: Bin | null;
  locationText: string;
};

export const BLANK: Draft = {
  itemText: "",
  item: null,
  colorText: null,
  color: null,
  quantity: "1",
  price: null,
  location: null,
  locationText: "",
};

/** Whether an item is always in some colour: a part is, a set is not. */
export const needsColor = (item: CatalogItem, lots: readonly CatalogLot[]): boolean =>
  lots.length === 0
    ? item.item_type === "PART"
    : lots.some(({ color_id }) => color_id !== NO_COLOR.colorId);

/** What is still wrong with each field, by its name; nothing where it can be added. */
export type Problems = Partial<
  Record<"item" | "color" | "quantity" | "price" | "location", string>
>;

export function problemsOf(
  draft: Draft,
  shown: { color: ColorOption | null; colorText: string; price: string; needsColor: boolean },
): Problems {
  const problems: Problems = {};
  if (!draft.item) problems.item = "Choose an item from the list.";
  else if (!shown.color && (shown.needsColor || shown.colorText.trim() !== "")) {
    problems.color = "Choose a colour from the list.";
  }
  const quantity = whyNotPieces(draft.quantity);
  if (quantity) problems.quantity = quantity;
  const price = shown.price.trim() === "" ? null : whyNotPrice(shown.price);
  if (price) problems.price = price;
  if (!draft.location && draft.locationText.trim() !== "") {
    problems.location = "Choose a bin from the list, or leave it empty.";
  }
  return problems;
}

/** The body of its making. Blank price: none is known. */
export function bodyOf(
  draft: Draft & { item: CatalogItem },
  shown: { color: ColorOption | null; price: string; condition: "N" | "U" },
) {
  const { item, location } = draft;
  const lotId = shown.color?.lotId ?? null;
  return {
    ...(lotId === null
      ? {
          item_type: item.item_type,
          item_number: item.item_number,
          color_id: shown.color?.colorId ?? NO_COLOR.colorId,
        }
      : { lot_id: lotId }),
    qty: wholeOf(draft.quantity),
    condition: shown.condition,
    ...(shown.price.trim() !== "" && { price: priceOf(shown.price) }),
    ...(location && { user_inventory_item_location_id: location.id }),
  };
}

/** Colours with the one that is named as typed first, then the known ones whose names begin so. */
export function asTypedFirst(options: readonly ColorOption[], typed: string): ColorOption[] {
  const text = typed.trim().toLowerCase();
  const rank = ({ name, isKnown }: ColorOption) => {
    const other = name.toLowerCase();
    return other === text ? 0 : isKnown && other.startsWith(text) ? 1 : 2;
  };
  return options.toSorted((a, b) => rank(a) - rank(b));
}
