import { valueText } from "@/shared/lib/worth";
import { worthCell } from "@/shared/ui/Price";
import type { UserSet } from "./model";

/** What the parts of a set are worth, and how many lots that leaves out. */
export const partsWorth = ({
  parts_value: value,
  lots_without_price,
}: Pick<UserSet, "parts_value" | "lots_without_price">) =>
  value === null ? valueText(null) : worthCell({ value, lots_without_price });
