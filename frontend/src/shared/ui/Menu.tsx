import type { ReactNode } from "react";
import { lazyPart } from "./lazyPart";
import { type Trigger, useTrigger } from "./useTrigger";

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

const MenuList = lazyPart(() => import("./MenuList").then((m) => m.MenuList));

/** A menu of actions behind a button. */
export function Menu(props: {
  trigger: Trigger;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
}) {
  const { anchor, button, open, close } = useTrigger(props.trigger, "menu", MenuList.preload);
  return (
    <>
      {button}
      {open && (
        <MenuList
          anchor={anchor}
          entries={props.entries}
          align={props.align ?? "end"}
          onClose={close}
        />
      )}
    </>
  );
}
