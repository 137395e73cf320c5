import type { Operation } from "@/shared/lib/role";
import type { Icon } from "./icon";

/** An action of a menu, as data. A disabled one has a reason. */
export type MenuAction = {
  id: string;
  label: string;
  /** One line about its effect, below the label. */
  description?: string;
  icon?: Icon;
  /** Shown at the right: "Ctrl+E". */
  keys?: string;
  danger?: boolean;
  disabledReason?: string | false | null;
  /** Left out where the person's role does not allow it. */
  needs?: Operation;
  run: () => void;
};
export type MenuCheck = {
  id: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
};
/** The heading of the entries below it. */
export type MenuHeading = { heading: string };
export type MenuEntry = MenuAction | MenuCheck | MenuHeading | "separator";
