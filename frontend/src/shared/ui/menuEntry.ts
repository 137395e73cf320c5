import type { ReactNode } from "react";

/** An action of a menu, as data. One that cannot be done now carries the reason. */
export type MenuAction = {
  id: string;
  label: string;
  icon?: ReactNode;
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
export type MenuEntry = MenuAction | MenuCheck | "separator";
