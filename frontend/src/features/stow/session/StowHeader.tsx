import { ArrowLeft, Keyboard, SlidersHorizontal } from "lucide-react";
import { memo } from "react";
import { LockedColor } from "@/features/catalog/public";
import { ListWithStow } from "@/features/marketplace/public";
import { UnsentCount } from "@/features/outbox/public";
import { KeyHint } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { useSessionText } from "./SessionSheet";

/** The station's own bar: the exit, the session's settings in one line, and unsent work. */
export const StowHeader = memo(function StowHeader(props: {
  batch: string | null;
  isLoading: boolean;
  onOpen: (dialog: { what: "session" | "keys" }) => void;
  onLeave: () => void;
  onDone: () => void;
}) {
  const { batch, isLoading, onOpen, onLeave, onDone } = props;
  const session = useSessionText();
  return (
    <header className="z-header flex items-center gap-x-3 border-line border-b bg-surface px-3 py-2 lg:px-4">
      <IconButton
        label="Leave the station"
        icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        onClick={onLeave}
      />
      <h1 className="sr-only font-semibold text-base xl:not-sr-only">Stow inventory</h1>
      <Button
        className="min-w-0 shrink! max-sm:flex-1"
        aria-haspopup="dialog"
        aria-label={`${batch ? `Batch ${batch}` : "No batch yet"}: ${session}`}
        icon={<SlidersHorizontal aria-hidden="true" className="size-4 shrink-0" />}
        loading={isLoading}
        onClick={() => onOpen({ what: "session" })}
      >
        <span className="min-w-0 truncate">
          <span className="font-semibold">{batch ?? "No batch yet"}</span>
          <span className="font-normal text-muted"> · {session}</span>
        </span>
      </Button>
      <ListWithStow hideWhenOff />
      <LockedColor onDone={onDone} />
      <span className="ml-auto flex items-center gap-2 max-sm:hidden">
        <UnsentCount />
        <Button size="sm" variant="ghost" icon={Keyboard} onClick={() => onOpen({ what: "keys" })}>
          Keys <KeyHint>?</KeyHint>
        </Button>
      </span>
    </header>
  );
});
