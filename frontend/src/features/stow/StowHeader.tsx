import { useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, ChevronDown, CloudOff, Keyboard, Volume2, VolumeX } from "lucide-react";
import { LockedColor } from "@/features/catalog/public";
import { ListWithStow } from "@/features/marketplace/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Badge, Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useLetter } from "./letters";
import { retryLookups, useLookups } from "./lookups";
import { sitting, useUnsentCount } from "./sitting";
import { sendSkips, useWaitingSkips } from "./skips";
import { type Station, setCondition } from "./useStation";

const conditions = [
  { value: "U", label: "Used" },
  { value: "N", label: "New" },
] as const;
const searches = [
  { value: "image", label: "Image" },
  { value: "number", label: "Number" },
  { value: "name", label: "Name" },
] as const;
const modes = [
  { value: "plan", label: "Plan" },
  { value: "direct", label: "Stow at once" },
] as const;

/** The station's own bar: out, the batch, and what holds for the next item. */
export function StowHeader({ station }: { station: Station }) {
  const { batches, condition, searchType, direct, setOpened, searchBy, leave, backToCard } =
    station;
  const { batch, loading } = batches;
  const batchKey = useLetter("chooseBatch");
  const modeKey = useLetter("toggleMode");
  return (
    <header className="z-header flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-surface px-3 py-2 lg:px-4">
      <IconButton
        label="Leave the station"
        icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        onClick={leave}
      />
      <h1 className="sr-only font-semibold text-base xl:not-sr-only">Stow inventory</h1>
      <Button
        className="min-w-0 shrink! max-sm:flex-1"
        aria-haspopup="dialog"
        aria-keyshortcuts={batchKey}
        loading={loading}
        onClick={() => setOpened({ what: "batch" })}
      >
        <span className="text-muted">Batch</span>
        <span className="max-w-64 truncate font-semibold">{batch?.name ?? "none yet"}</span>
        <ChevronDown aria-hidden="true" className="size-4 text-muted" />
        <Key name={batchKey} />
      </Button>
      <div className="contents max-sm:flex max-sm:w-full max-sm:flex-wrap max-sm:gap-2">
        <Choice keys={["."]}>
          <SegmentedControl
            label="Condition"
            value={condition}
            options={conditions}
            onChange={(value) => {
              setCondition(value);
              backToCard();
            }}
          />
        </Choice>
        <Choice keys={["F2", "F3", "F4"]}>
          <SegmentedControl
            label="Search by"
            value={searchType}
            options={searches}
            onChange={searchBy}
          />
        </Choice>
        <Choice keys={[modeKey]}>
          <SegmentedControl
            label="Adding"
            value={direct ? "direct" : "plan"}
            options={modes}
            onChange={(value) => {
              clientStore.set("options.stowDirectly", value === "direct");
              backToCard();
            }}
          />
        </Choice>
      </div>
      <ListWithStow />
      <LockedColor onDone={backToCard} />
      <span className="ml-auto flex items-center gap-2 max-sm:hidden">
        <Unsent />
        <Sounds />
        <Button
          size="sm"
          variant="ghost"
          icon={<Keyboard aria-hidden="true" className="size-4" />}
          onClick={() => setOpened({ what: "keys" })}
        >
          Keys <Key name="?" />
        </Button>
      </span>
    </header>
  );
}

function Choice({ keys, children }: { keys: readonly string[]; children: React.ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      {children}
      <span className="hidden gap-1 2xl:flex">
        {keys.map((key) => (
          <Key key={key} name={key} />
        ))}
      </span>
    </span>
  );
}

/** A key where there is a keyboard; fingers do not need it. */
function Key({ name }: { name: string }) {
  return (
    <span aria-hidden="true" className="pointer-coarse:hidden">
      <Kbd>{name}</Kbd>
    </span>
  );
}

function Sounds() {
  const on = useClientState("options.sounds");
  const Icon = on ? Volume2 : VolumeX;
  return (
    <IconButton
      label={on ? "Sounds are on" : "Sounds are off"}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => clientStore.toggle("options.sounds")}
    />
  );
}

/** What waits for the server, and a way to try at once. */
export function Unsent() {
  const client = useQueryClient();
  const waiting = useLookups().filter((each) => each.waiting).length;
  const count = useUnsentCount() + waiting + useWaitingSkips();
  if (count === 0) return null;
  const sendNow = () => {
    sitting.sendNow();
    retryLookups(client);
    void sendSkips(client);
  };
  return (
    <span role="status" className="flex items-center gap-2">
      <Badge tone="warning" icon={<CloudOff aria-hidden="true" className="size-3" />}>
        {count} unsent
      </Badge>
      <Button size="sm" onClick={sendNow}>
        Send now
      </Button>
    </span>
  );
}
