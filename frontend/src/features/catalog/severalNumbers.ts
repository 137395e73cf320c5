/** Several numbers in one search: typed between commas, or pasted from a list. */
import type { CatalogItem } from "./model";

const BETWEEN = /[,;\n\r\t]+/;

/** The numbers of a list of several, each once; nothing for a name or a single number. */
export function numbersIn(text: string): string[] {
  const parts = text.split(BETWEEN).map((part) => part.trim().toUpperCase());
  const numbers = [...new Set(parts.filter(Boolean))];
  return numbers.length > 1 && numbers.every((each) => /^\S*\d\S*$/.test(each)) ? numbers : [];
}

/** A pasted list on one line, for a field that has only one. */
export const onOneLine = (text: string) =>
  text
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter(Boolean)
    .join(", ");

/** Those of the searched numbers that no item answers to. */
export function numbersMissed(search: string, items: readonly CatalogItem[]): string[] {
  const found = new Set(items.map(({ asked }) => asked));
  return numbersIn(search).filter((number) => !found.has(number));
}
