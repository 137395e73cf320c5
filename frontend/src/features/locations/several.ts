/** Remarks that name several locations, as an import asks about them. apps/locations reads them. */
import { formatCount } from "@/shared/lib/format";

export type SeveralExample = {
  remarks: string;
  quantity: number;
  locations: string[];
  /**
   * The pieces of each location, in the order of the locations; empty where the lot cannot be
   * split.
   */
  quantities: number[];
};

export type SeveralQuestion = {
  lots: number;
  /** Of these, those that can be split. */
  divisible: number;
  separators: string[];
  examples: SeveralExample[];
};

/** In the words of the wire. */
export type SeveralChoice = {
  several_locations: "ignore" | "first" | "whole";
  split_quantities: boolean;
};

export const severalTitle = ({ lots }: Pick<SeveralQuestion, "lots">): string =>
  lots === 1
    ? "1 lot names several bins in Remarks"
    : `${formatCount(lots)} lots name several bins in Remarks`;

/** The locations that a lot comes into; none is "". */
export function comesInto(example: SeveralExample, choice: SeveralChoice): string {
  const { locations, quantities, remarks } = example;
  if (choice.split_quantities && quantities.length > 0) {
    return locations.map((name, at) => `${name} × ${formatCount(quantities[at] ?? 0)}`).join(", ");
  }
  if (choice.several_locations === "whole") return remarks;
  return choice.several_locations === "first" ? (locations[0] ?? "") : "";
}

export const isSameChoice = (one: SeveralChoice, other: SeveralChoice): boolean =>
  one.several_locations === other.several_locations &&
  one.split_quantities === other.split_quantities;
