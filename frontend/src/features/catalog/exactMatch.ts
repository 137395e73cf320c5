import type { CatalogItem } from "./model";

const plain = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();

/**
 * The only item whose number or name is what was typed, or null. The number of a set counts
 * without its "-1" too.
 */
export function exactMatch(typed: string, items: readonly CatalogItem[]): CatalogItem | null {
  const asked = plain(typed);
  if (asked === "") return null;
  const numbers = items.filter(({ item_number: number, item_type: type }) =>
    [asked, ...(type === "SET" ? [`${asked}-1`] : [])].includes(plain(number)),
  );
  const found =
    numbers.length > 0 ? numbers : items.filter(({ item_name }) => plain(item_name) === asked);
  return (found.length === 1 && found[0]) || null;
}
