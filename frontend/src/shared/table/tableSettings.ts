/** A person's settings of a table, stored in this browser under the table's id. */
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";

const settingsSchema = z.object({
  pageSize: z.catch(z.union([z.int().check(z.minimum(1)), z.literal("all")]), 25),
  visibility: z.catch(z.record(z.string(), z.boolean()), {}),
  order: z.catch(z.array(z.string()), []),
  /** The side to which a person pinned a column; "none" unpins a column that its page pins. */
  pinning: z.catch(z.record(z.string(), z.enum(["left", "right", "none"])), {}),
  /** Rows of 32 px instead of 50. */
  compact: z.catch(z.boolean(), false),
  /** Pictures instead of rows, where a table has both; which comes first is its page's choice. */
  tiles: z.catch(z.optional(z.boolean()), undefined),
  filterRow: z.catch(z.boolean(), false),
  sizing: z.catch(z.record(z.string(), z.number().check(z.minimum(48))), {}),
});

export type TableSettings = z.infer<typeof settingsSchema>;

const keyOf = (id: string) => `table_${id}`;

/** Stored settings; missing or invalid ones have their default. */
export function readTableSettings(id: string): TableSettings {
  return settingsSchema.parse({ ...getSetting<object>(keyOf(id)) });
}

export function writeTableSettings(id: string, changes: Partial<TableSettings>): void {
  setSetting(keyOf(id), { ...readTableSettings(id), ...changes });
}
