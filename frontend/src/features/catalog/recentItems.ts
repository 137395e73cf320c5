/** The items that were open last on the catalogue page, newest first: a person's, in this browser. */
import * as z from "zod/mini";
import { itemTypes } from "@/shared/lib/itemTypes";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";

const SETTING = `${PERSONAL}recentItems`;
const KEPT = 10;

const entry = z.object({ type: z.enum(itemTypes), number: z.string(), name: z.string() });
const entries = z.catch(z.array(entry), []);

export type RecentItem = z.infer<typeof entry>;

export function recentItems(): RecentItem[] {
  return entries.parse(getSetting(SETTING) ?? []);
}

/** Puts an item on top of the list, once. */
export function rememberItem(item: RecentItem): void {
  const others = recentItems().filter(
    ({ type, number }) => type !== item.type || number !== item.number,
  );
  setSetting(SETTING, [item, ...others].slice(0, KEPT));
}
