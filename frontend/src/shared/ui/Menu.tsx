import { lazyPart } from "./lazyPart";
import type { MenuEntry } from "./menuEntry";
import { type Trigger, useTrigger } from "./useTrigger";

export type { MenuEntry };

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
