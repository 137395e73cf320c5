import * as Radix from "@radix-ui/react-dropdown-menu";
import { clsx } from "clsx";
import type { ReactElement, ReactNode } from "react";

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

const floating =
  "z-popover max-h-[min(28rem,var(--radix-dropdown-menu-content-available-height))] min-w-44 animate-pop-in overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float";
const entryClass =
  "flex cursor-pointer select-none items-center gap-2 rounded-control px-2 py-1.5 text-sm outline-none data-[highlighted]:bg-hover pointer-coarse:py-2.5";

/** A menu of actions behind a button. */
export function Menu(props: {
  /** The button: Button or IconButton. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{props.trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align={props.align ?? "end"} sideOffset={4} className={floating}>
          {props.entries.map((entry, index) => (
            <Entry key={entry === "separator" ? `separator-${index}` : entry.id} entry={entry} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === "separator") return <Radix.Separator className="my-1 h-px bg-line" />;
  if ("checked" in entry) {
    return (
      <Radix.CheckboxItem
        checked={entry.checked}
        onCheckedChange={entry.onChange}
        onSelect={(event) => event.preventDefault()}
        className={entryClass}
      >
        <span className="flex size-4 items-center justify-center rounded border border-edge text-accent-ink">
          <Radix.ItemIndicator>✓</Radix.ItemIndicator>
        </span>
        {entry.label}
      </Radix.CheckboxItem>
    );
  }
  const { disabledReason } = entry;
  return (
    <Radix.Item
      // Stays reachable by keyboard, so that its reason can be read.
      aria-disabled={Boolean(disabledReason) || undefined}
      onSelect={(event) => (disabledReason ? event.preventDefault() : entry.run())}
      className={clsx(
        entryClass,
        entry.danger && "text-danger",
        disabledReason && "cursor-not-allowed",
      )}
    >
      {entry.icon}
      <span className={clsx("min-w-0 flex-1", disabledReason && "text-muted")}>
        {entry.label}
        {disabledReason && <span className="block text-xs">{disabledReason}</span>}
      </span>
      {entry.keys && <span className="pl-4 text-muted text-xs">{entry.keys}</span>}
    </Radix.Item>
  );
}
