/** What people of a store may do, in words. */
import type { Role } from "@/shared/api/signIn";

export const roleWords: Readonly<Record<Exclude<Role, "owner">, string>> = {
  manager: "Does everything except people, keys, channels, backups and closing the account.",
  sorter: "Works at the station, with batches, bins and labels. Sees no costs and no orders.",
  picker: "Picks, packs and ships orders, and looks up stock and bins. Sees no costs.",
};
