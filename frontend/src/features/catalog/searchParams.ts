/** The catalogue page's address: what is searched, how, and which item is open. */
import * as z from "zod/mini";
import { type ItemType, isItemType, itemTypes } from "@/shared/lib/itemTypes";
import type { ItemKey } from "./model";

export type ItemOfKey = { type: ItemType; number: string };

/** "PART:3001" taken apart, or null for what is no item. Numbers may hold a colon; types do not. */
export function itemOfKey(key: string | null): ItemOfKey | null {
  const [type, ...rest] = (key ?? "").split(":");
  const number = rest.join(":").trim();
  return isItemType(type) && number !== "" ? { type, number } : null;
}

const isKey = (key: string): key is ItemKey => itemOfKey(key) !== null;
const readable = (key: string) => (isKey(key) ? key : null);

const schema = z.object({
  search: z.catch(z.string().check(z.trim(), z.maxLength(200)), ""),
  item: z.pipe(z.catch(z.string(), ""), z.transform(readable)),
  type: z.catch(z.nullable(z.enum(itemTypes)), null),
});

export type CatalogParams = { search: string; item: ItemKey | null; type: ItemType | null };

/** Reads the address; what it should not say counts as not said. */
export function readCatalogParams(params: URLSearchParams): CatalogParams {
  return schema.parse(Object.fromEntries(params));
}

/** The address for these params; other params of it stay. */
export function writeCatalogParams(
  params: URLSearchParams,
  changes: Partial<CatalogParams>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}
