import type { Schema } from "@/shared/api/wire";

/** Places with a name, and kinds of them, as the wire spells them. Weights are grams. */
export type Limits = Pick<
  Schema<"LocationRow">,
  "max_item_count" | "max_total_weight" | "min_item_weight" | "max_item_weight"
>;

/** A small one keeps the colours of an item apart. apps/locations/rules/sizes decides. */
export const SIZE_CLASSES = [
  { value: "small", label: "Small", means: "one colour of an item, no other beside it" },
  { value: "medium", label: "Medium", means: "colours of an item may be together" },
  { value: "large", label: "Large", means: "colours of an item may be together" },
] as const;
/** Empty: unknown. */
export type SizeClass = (typeof SIZE_CLASSES)[number]["value"] | "";

export const sizeName = (size: SizeClass | null): string =>
  SIZE_CLASSES.find(({ value }) => value === size)?.label ?? "–";

export type Location = Schema<"LocationRow">;

/** A location as it is chosen and named. */
export type Bin = Pick<Location, "id" | "name">;

/** A bin that a lot could go to; `reason`: why, in words. */
export type Destination = Omit<Schema<"DestinationRow">, "lot_id">;

/** As much of a location as the shelf map draws. */
export type MapCell = Schema<"MapRow">;

/** What lies in a location, as pictures. */
export type Faces = Schema<"LocationFacesRow">;

export type ContainerType = Schema<"ContainerTypeRow">;

/** One line of the ledger: pieces that came into a location, or went out of it. */
export type LocationMovement = Schema<"LocationMovementRow">;

/** An item that keeps a location from being deleted. */
export type ConflictItem = { id: number; name: string; number: string; quantity: number };
