/** The nine item types of the marketplaces, with the API's spelling and their names for people. */
export const itemTypes = [
  "PART",
  "GEAR",
  "MINIFIG",
  "SET",
  "BOOK",
  "INSTRUCTION",
  "ORIGINAL_BOX",
  "CATALOG",
  "UNSORTED_LOT",
] as const;

export type ItemType = (typeof itemTypes)[number];

export const itemTypeNames: Record<ItemType, string> = {
  PART: "Part",
  GEAR: "Gear",
  MINIFIG: "Minifig",
  SET: "Set",
  BOOK: "Book",
  INSTRUCTION: "Instruction",
  ORIGINAL_BOX: "Original box",
  CATALOG: "Catalog",
  UNSORTED_LOT: "Unsorted lot",
};

export function isItemType(value: unknown): value is ItemType {
  return itemTypes.some((type) => type === value);
}
