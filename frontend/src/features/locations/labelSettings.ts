/** What this printer and the sheet in it were left with, kept in this browser. */
import { getSetting, setSetting } from "@/shared/lib/localSettings";

export type LabelSettings = {
  layout: string;
  /** The paper of address labels. */
  addressLayout: string;
  /** How far the printer is off, in mm, as typed. */
  right: string;
  down: string;
  /** The next free position of the sheet in use, by layout. */
  starts: Record<string, number>;
};

const KEY = "labels";
const defaults: LabelSettings = {
  layout: "avery_l7160",
  addressLayout: "roll_62",
  right: "0",
  down: "0",
  starts: {},
};

export const readLabelSettings = (): LabelSettings => ({
  ...defaults,
  ...getSetting<LabelSettings>(KEY),
});

export function keepLabelSettings(settings: LabelSettings): void {
  setSetting(KEY, settings);
}
