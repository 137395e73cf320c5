import { ArrowLeft, Keyboard, SlidersHorizontal } from "lucide-react";
import { LockedColor } from "@/features/catalog/public";
import { ListWithStow } from "@/features/marketplace/public";
import { UnsentCount } from "@/features/outbox/public";
import { Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import type { Station } from "../useStation";
import { useSessionText } from "./SessionSheet";

/** The station's own bar: the exit, the session's settings in one line, and unsent work. */
export function StowHeader({ station }: { station: Station }) {
  const { batches, setOpened, leave, backToCard } = station;
  const session = useSessionText();
  return (
    <header className="z-header flex items-center gap-x-3 border-line border-b bg-surface px-3 py-2 lg:px-4">
      <IconButton
        label="Leave the station"
        icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        onClick={leave}
      />
      <h1 className="sr-only font-semibold text-base xl:not-sr-only">Stow inventory</h1>
      <Button
        className="min-w-0 shrink! max-sm:flex-1"
        aria-haspopup="dialog"
        aria-label={`${batches.batch ? `Batch ${batches.batch.name}` : "No batch yet"}: ${session}`}
        icon={<SlidersHorizontal aria-hidden="true" className="size-4 shrink-0" />}
        loading={batches.loading}
        onClick={() => setOpened({ what: "session" })}
      >
        <span className="min-w-0 truncate">
          <span className="font-semibold">{batches.batch?.name ?? "No batch yet"}</span>
          <span className="font-normal text-muted"> · {session}</span>
        </span>
      </Button>
      <ListWithStow hideWhenOff />
      <LockedColor onDone={backToCard} />
      <span className="ml-auto flex items-center gap-2 max-sm:hidden">
        <UnsentCount />
        <Button
          size="sm"
          variant="ghost"
          icon={Keyboard}
          onClick={() => setOpened({ what: "keys" })}
        >
          Keys <Key name="?" />
        </Button>
      </span>
    </header>
  );
}

/** A key hint, hidden on touch screens. */
function Key({ name }: { name: string }) {
  return (
    <span aria-hidden="true" className="pointer-coarse:hidden">
      <Kbd>{name}</Kbd>
    </span>
  );
}
