import type { Icon } from "./icon";

/** An action of a menu, as data. One that cannot be done now carries the reason. */
export type MenuAction = {
  id: string;
  label: string;
  /** One line on what it does, under the label. */
  description?: string;
  icon?: Icon;
  /** Shown at the right: "Ctrl+E". */
  keys?: string;
  danger?: boolean;
  disabledReason?: string | false | null;
  run: () => void;
};
export type MenuCheck = {
  id: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
};
/** The name of the entries below it. */
export type MenuHeading = { heading: string };
export type MenuEntry = MenuAction | MenuCheck | MenuHeading | "separator";
