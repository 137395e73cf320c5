/** The options last used, kept in this browser: the button starts with them at once. */
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import type { ExportKind, ExportOptions } from "./model";

const KEY = "exportOptions";

const texts = z.catch(z.array(z.string()), []);
const choiceSchema = z.object({
  kind: z.catch(z.enum(["bsx", "mass_upload", "mass_update", "wanted_list", "csv"]), "bsx"),
  state: z.catch(z.enum(["all", "new", "stowed", "listed"]), "all"),
  include_zero_quantity: z.catch(z.boolean(), true),
  include_incomplete: z.catch(z.boolean(), true),
  include_unknown: z.catch(z.boolean(), false),
  include_listed: z.catch(z.boolean(), false),
  carry_location: z.catch(z.boolean(), true),
  compatible: z.catch(z.boolean(), false),
  remarks_template: z.catch(z.string(), ""),
  columns: texts,
  update_fields: texts,
  wanted_list_id: z.catch(z.string(), ""),
});

export type ExportChoice = ExportOptions & { kind: ExportKind };

export function readExportOptions(): ExportChoice {
  // Which columns there are is known where they are chosen, and kept from there.
  return choiceSchema.parse({ ...getSetting<object>(KEY) }) as ExportChoice;
}

export function keepExportOptions(choice: ExportChoice): void {
  setSetting(KEY, choice);
}
