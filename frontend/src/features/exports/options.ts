/** The options last used, kept in this browser: the button starts with them at once. */
import * as z from "zod/mini";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import type { ExportOptions } from "./model";

const KEY = "exportOptions";

const optionsSchema = z.object({
  state: z.catch(z.enum(["all", "new", "stowed", "listed"]), "all"),
  include_zero_quantity: z.catch(z.boolean(), true),
  compatible: z.catch(z.boolean(), false),
});

export function readExportOptions(): ExportOptions {
  return optionsSchema.parse({ ...getSetting<object>(KEY) });
}

export function keepExportOptions(options: ExportOptions): void {
  setSetting(KEY, options);
}
