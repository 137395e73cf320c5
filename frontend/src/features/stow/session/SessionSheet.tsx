import { ListWithStow } from "@/features/marketplace/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Kbd } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { usedFirst } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useLetter } from "../add/letters";
import { setCondition } from "../add/useStationCommands";
import type { Station } from "../useStation";

const modes = { plan: "Plan", direct: "Stow at once" };
const sounds = { on: "On", off: "Off" };

/** The settings of the session, in a few words. */
export function useSessionText(): string {
  const condition = useClientState("itemBeingProcessed.condition");
  const direct = useClientState("options.stowDirectly");
  const lists = useClientState("options.listWithStow");
  const heard = useClientState("options.sounds");
  return [
    condition === "N" ? "new" : "used",
    direct ? "stowed at once" : "put away later",
    lists ? "listed when stowed" : "not listed",
    heard ? "sounds on" : "sounds off",
  ].join(" · ");
}

/** The settings of a session: batch, condition, planned or stowed at once, listing, sounds. */
export function SessionSheet({ station, onClose }: { station: Station; onClose: () => void }) {
  const { batches, condition, direct, setOpened } = station;
  const heard = useClientState("options.sounds");
  const batchKey = useLetter("chooseBatch");
  const modeKey = useLetter("toggleMode");
  return (
    <Dialog
      open
      onClose={onClose}
      title="This session"
      description="Applies to everything you add until you change it."
      footer={
        <Button variant="primary" autoFocus onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col">
        <Line label="Batch" shortcut={batchKey}>
          <Button className="min-w-0" onClick={() => setOpened({ what: "batch" })}>
            <span className="truncate">{batches.batch?.name ?? "Choose a batch"}</span>
          </Button>
        </Line>
        <Line label="Condition" shortcut=".">
          <SegmentedControl
            label="Condition"
            value={condition}
            options={usedFirst}
            onChange={setCondition}
          />
        </Line>
        <Line
          label="Adding"
          shortcut={modeKey}
          hint={
            direct
              ? "You put each piece into its bin, where it is in stock."
              : "Each piece waits in a tray; you stow the batch later, bin by bin."
          }
        >
          <SegmentedControl
            label="Adding"
            value={direct ? "direct" : "plan"}
            options={modes}
            onChange={(value) => clientStore.set("options.stowDirectly", value === "direct")}
          />
        </Line>
        <Line label="At the shop">
          <ListWithStow />
        </Line>
        <Line label="Sounds">
          <SegmentedControl
            label="Sounds"
            value={heard ? "on" : "off"}
            options={sounds}
            onChange={(value) => clientStore.set("options.sounds", value === "on")}
          />
        </Line>
      </div>
    </Dialog>
  );
}

/** The key is shown here, but works only at the station: a dialog handles all keys itself. */
function Line(props: {
  label: string;
  shortcut?: string;
  hint?: string;
  children: React.ReactNode;
}) {
  return (
    <div className="flex min-h-14 items-center gap-3 border-line border-b py-2 last:border-b-0">
      <span className="w-24 shrink-0 text-muted">{props.label}</span>
      <span className="flex min-w-0 flex-1 flex-col items-start gap-1">
        {props.children}
        {props.hint && <span className="text-muted text-xs">{props.hint}</span>}
      </span>
      {props.shortcut && (
        <span className="flex items-center gap-1.5 text-muted text-xs pointer-coarse:hidden">
          at the station <Kbd>{props.shortcut}</Kbd>
        </span>
      )}
    </div>
  );
}
