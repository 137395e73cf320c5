import { Lock, LockOpen, X } from "lucide-react";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { lockColor, useLockedColor } from "./colorHabits";
import { NO_COLOR } from "./colorRanking";
import { catalogQueries } from "./queries";

/** Locks a colour for the parts that follow, in words; nothing while it is locked. */
export function LockOffer({ color }: { color: { colorId: number; name: string } }) {
  if (useLockedColor() === color.colorId || color.colorId === NO_COLOR.colorId) return null;
  return (
    <Button
      size="sm"
      title="The next parts come in this colour, here and at the station"
      icon={<LockOpen aria-hidden="true" className="size-3.5" />}
      onClick={() => lockColor(color.colorId)}
    >
      <span className="max-w-40 truncate">Lock {color.name}</span>
    </Button>
  );
}

/** Locks a colour for the parts that follow, or lets it go. */
export function LockButton(props: {
  color: { colorId: number; name: string };
  /** The key that does the same. */
  shortcut?: string;
  onDone?: () => void;
}) {
  const { color, shortcut, onDone } = props;
  const isLocked = useLockedColor() === color.colorId;
  const Icon = isLocked ? Lock : LockOpen;
  return (
    <IconButton
      size="sm"
      variant={isLocked ? "primary" : "ghost"}
      aria-pressed={isLocked}
      aria-keyshortcuts={shortcut}
      label={`Lock ${color.name} for the next parts${shortcut ? ` (${shortcut})` : ""}`}
      icon={Icon}
      onClick={() => {
        lockColor(isLocked ? null : color.colorId);
        onDone?.();
      }}
    />
  );
}

/** Says plainly that a colour is locked, and lets it go. */
export function LockedColor({ onDone }: { onDone?: () => void }) {
  const locked = useLockedColor();
  const data = useSideQuery(
    { ...catalogQueries.colors(), enabled: locked !== null },
    "the colours",
  );
  if (locked === null) return null;
  const color = data?.find(({ id }) => id === locked);
  const name = color?.name ?? "Colour";
  return (
    <Button
      size="sm"
      variant="primary"
      title="Parts come in this colour, whatever is seen or owned"
      icon={<Lock aria-hidden="true" className="size-3.5" />}
      onClick={() => {
        lockColor(null);
        onDone?.();
      }}
    >
      <ColorSwatch html={color?.color_html ?? null} />
      <span className="max-w-40 truncate">{name} locked</span>
      <X aria-hidden="true" className="size-3.5" />
      <span className="sr-only">: unlock</span>
    </Button>
  );
}
