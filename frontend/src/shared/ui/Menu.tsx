import { lazyPart } from "./lazyPart";
import type { MenuEntry } from "./menuEntry";
import { type Trigger, useTrigger } from "./useTrigger";

export type { MenuEntry };

/** The open menu alone, for components with many buttons and one open menu. */
export const LazyMenu = lazyPart(() => import("./MenuList").then((m) => m.MenuList));

/** A menu of actions behind a button. */
export function Menu(props: {
  trigger: Trigger;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
}) {
  const { anchor, button, open, close } = useTrigger(props.trigger, "menu", LazyMenu.preload);
  return (
    <>
      {button}
      {open && (
        <LazyMenu
          anchor={anchor}
          entries={props.entries}
          align={props.align ?? "end"}
          onClose={close}
        />
      )}
    </>
  );
}
