import * as Radix from "@radix-ui/react-menu";
import { clsx } from "clsx";
import { type RefObject, useId } from "react";
import { elementOf } from "@/shared/lib/records";
import { may } from "@/shared/lib/role";
import { drawn } from "./icon";
import type { MenuAction, MenuEntry } from "./menuEntry";
import { useEscape } from "./useEscape";

const floating =
  "z-popover max-h-[min(40rem,var(--radix-popper-available-height))] min-w-44 animate-pop-in max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float";
const entryClass =
  "cursor-pointer select-none rounded-control px-2 py-1.5 text-sm outline-none data-[highlighted]:bg-hover pointer-coarse:py-2.5";
const lineClass = "flex items-center gap-2";

const isAllowed = (entry: MenuEntry): boolean =>
  typeof entry !== "object" || !("needs" in entry) || !entry.needs || may(entry.needs);

/** The open menu: arrows, Home, End and typing move, Escape and a choice close it. */
export function MenuList(props: {
  anchor: RefObject<HTMLElement | null>;
  entries: readonly MenuEntry[];
  align: "start" | "end";
  onClose: () => void;
}) {
  const { anchor, align, onClose } = props;
  const entries = props.entries.filter(isAllowed);
  const onEscape = useEscape(onClose);
  const hasIcons = entries.some((entry) => typeof entry === "object" && "icon" in entry);
  return (
    <Radix.Root open modal={false} onOpenChange={(next) => !next && onClose()}>
      <Radix.Anchor virtualRef={anchor} />
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          onEscapeKeyDown={onEscape}
          onInteractOutside={(event) => {
            // The button closes it by itself.
            if (anchor.current?.contains(elementOf(event.target))) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The chosen action, or a click outside, may have moved the focus: it keeps it.
            if (document.activeElement === document.body) anchor.current?.focus();
          }}
          className={floating}
        >
          {entries.map((entry, index) => (
            <Entry
              key={typeof entry === "object" && "id" in entry ? entry.id : `between-${index}`}
              entry={entry}
              indented={hasIcons}
              // The button gets the focus back before a dialog remembers where to return it.
              onChosen={() => anchor.current?.focus()}
            />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function Entry(props: {
  entry: MenuEntry;
  /** Other entries have icons: the labels of all begin at one edge. */
  indented: boolean;
  onChosen: () => void;
}) {
  const { entry, indented, onChosen } = props;
  if (entry === "separator") return <Radix.Separator className="my-1 h-px bg-line" />;
  if ("heading" in entry) {
    return (
      <Radix.Label className="px-2 pt-2 pb-1 font-semibold text-muted text-xs">
        {entry.heading}
      </Radix.Label>
    );
  }
  if ("checked" in entry) {
    return (
      <Radix.CheckboxItem
        checked={entry.checked}
        onCheckedChange={entry.onChange}
        onSelect={(event) => event.preventDefault()}
        className={clsx(entryClass, lineClass)}
      >
        <span className="flex size-4 items-center justify-center rounded border border-edge text-accent-ink">
          <Radix.ItemIndicator>✓</Radix.ItemIndicator>
        </span>
        {entry.label}
      </Radix.CheckboxItem>
    );
  }
  return <Action entry={entry} indented={indented} onChosen={onChosen} />;
}

function Action(props: { entry: MenuAction; indented: boolean; onChosen: () => void }) {
  const { entry, indented, onChosen } = props;
  const { disabledReason } = entry;
  const description = disabledReason ? undefined : entry.description;
  const describes = useId();
  const space = indented && <span className="w-4 shrink-0" />;
  const item = (
    <Radix.Item
      aria-describedby={description && describes}
      // Stays reachable by keyboard, so that its reason can be read.
      aria-disabled={Boolean(disabledReason) || undefined}
      onSelect={(event) => {
        if (disabledReason) return event.preventDefault();
        onChosen();
        entry.run();
      }}
      className={clsx(
        entryClass,
        entry.danger && "text-danger",
        disabledReason && "cursor-not-allowed",
        description && "col-start-1 row-span-2 row-start-1 grid grid-rows-subgrid",
      )}
    >
      <span className={lineClass}>
        {entry.icon ? drawn(entry.icon) : space}
        <span className={clsx("min-w-0 flex-1", disabledReason && "text-muted")}>
          {entry.label}
          {disabledReason && <span className="block text-muted text-xs">{disabledReason}</span>}
        </span>
        {entry.keys && <span className="pl-4 text-muted text-xs">{entry.keys}</span>}
      </span>
    </Radix.Item>
  );
  if (!description) return item;
  return (
    <div role="none" className="grid">
      {item}
      {/* Over the entry and not in it: the entry's name must hold all text inside. */}
      <span className="pointer-events-none col-start-1 row-start-2 flex gap-2 px-2 pb-1.5 text-muted text-xs pointer-coarse:pb-2.5">
        {space}
        <span id={describes} aria-hidden="true">
          {description}
        </span>
      </span>
    </div>
  );
}
