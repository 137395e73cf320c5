import { useState } from "react";
import { Link } from "react-router-dom";
import { type Bin, LocationPicker } from "@/features/locations/public";
import { ListWithStow } from "@/features/marketplace/public";
import { counted } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { RefusedRows } from "@/shared/ui/RefusedRows";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { LeftByJob } from "./detail/dialog";
import type { FailedItem } from "./model";
import { useOperation } from "./mutations";
import { canOverride, type ItemChoice, resultWords, weightWords } from "./operations";
import { useTellDone } from "./useTellDone";

type Where = "planned" | "one";

type Props = {
  batchId: number;
  items: ItemChoice;
  count: number;
  /**
   * How many rows a job has stowed, and the `count` that it refused: the dialog continues from
   * there.
   */
  left?: LeftByJob;
  onClose: () => void;
  onDone: () => void;
  /** So many that a job does it. */
  onJob: (jobId: string) => void;
};

/** Puts items into their bins: each where it is planned or recommended, or all into one. */
export function StowDialog(props: Props) {
  const [where, setWhere] = useState<Where>("planned");
  const [location, setLocation] = useState<Bin | null>(null);
  const reason = useControl("");
  const stow = useStow(props);
  const into = where === "one" && location ? { location_id: location.id } : {};

  if (stow.refused) {
    return (
      <RefusedToStow
        stow={stow}
        refused={stow.refused}
        reason={reason}
        onAnyway={() => stow.run({ ...into, override_reason: reason.value.trim() })}
        onAgain={() => {
          stow.takeRest();
          setWhere("one");
          setLocation(null);
        }}
        onClose={stow.done > 0 ? props.onDone : props.onClose}
      />
    );
  }
  return (
    <ActDialog
      onClose={props.onClose}
      title={`Stow ${counted(stow.count, "lot")}`}
      size="sm"
      act="Stow"
      pending={stow.isPending}
      why={where === "one" && !location && "Choose a bin"}
      onAct={() => stow.run(into)}
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl
          label="Where to"
          value={where}
          onChange={setWhere}
          options={{ planned: "Planned bins", one: "One bin" }}
        />
        {where === "planned" ? (
          <Notice tone="info">
            Each item goes where it is planned. One without a plan goes where it is recommended:
            beside the same part, colour and condition, else to the best free place.
            {!Array.isArray(props.items) && (
              <p className="mt-2">
                This only records it: put the pieces into these bins yourself. Or{" "}
                <Link
                  to={pathTo("batches", { batch: props.batchId, walk: 1 })}
                  className="font-medium underline"
                >
                  walk bin by bin
                </Link>
                , and stow each bin as you fill it.
              </p>
            )}
          </Notice>
        ) : (
          <LocationPicker
            label="Bin"
            hint="If there is no room for all of them, none goes in."
            value={location}
            onChange={setLocation}
            canCreate
            autoFocus
            required
          />
        )}
        <div>
          <ListWithStow />
        </div>
      </div>
    </ActDialog>
  );
}

/** What is still to be stowed: after a part of it was refused, only that part. */
function useStow({ batchId, left, onDone, onJob, ...props }: Props) {
  const [items, setItems] = useState(props.items);
  const [isOfJob, setIsOfJob] = useState(left !== undefined);
  const [count, setCount] = useState(props.count);
  const [refused, setRefused] = useState<FailedItem[] | null>(left?.refused ?? null);
  const [done, setDone] = useState(left?.done ?? 0);
  const stow = useOperation(batchId, { tellsFailure: true });
  const tellDone = useTellDone(batchId);
  // A job lists the first thousand.
  const refusedCount = refused && refused === left?.refused ? left.count : (refused?.length ?? 0);
  const isWhole = refused !== null && refused.length === refusedCount;
  const idsOf = (rows: readonly FailedItem[]) => rows.map(({ id }) => id);

  const run = (how: { location_id?: number; override_reason?: string }) => {
    const isAnyway = how.override_reason !== undefined && isWhole;
    const chosen = isAnyway
      ? { items: idsOf(refused.filter(canOverride)) }
      : { items, ...(left && isOfJob && { refused_by: left.jobId }) };
    stow.mutate(
      { kind: "stow", ...chosen, ...how },
      {
        onSuccess: (result) => {
          if (result.job_id) {
            onDone();
            return onJob(result.job_id);
          }
          const count = result.items.length;
          setDone(done + count);
          if (result.failed.length > 0) setRefused(result.failed);
          else onDone();
          if (count === 0) return;
          const words = resultWords("stow", count, 0);
          const detail = weightWords(result);
          const actIds = result.act_id ? [result.act_id] : [];
          void tellDone({ kind: "stow", words, detail, count, actIds });
        },
      },
    );
  };
  /** Begins again with what was refused. */
  const takeRest = () => {
    if (isWhole) {
      setItems(idsOf(refused));
      setIsOfJob(false);
    }
    setCount(refusedCount);
    setRefused(null);
  };
  return { run, takeRest, count, done, refused, refusedCount, isPending: stow.isPending };
}

function RefusedToStow(props: {
  stow: ReturnType<typeof useStow>;
  refused: readonly FailedItem[];
  reason: ReturnType<typeof useControl<string>>;
  onAnyway: () => void;
  onAgain: () => void;
  onClose: () => void;
}) {
  const { stow, refused, reason, onClose } = props;
  const isLocked = !refused.some(canOverride);
  return (
    <Dialog
      onClose={onClose}
      title={resultWords("stow", stow.done, stow.refusedCount)}
      description="Each row shows the reason. None was changed."
      size="lg"
      locked={stow.isPending}
      footer={
        <>
          <Button onClick={props.onAgain}>Choose another bin</Button>
          <Button onClick={onClose}>Leave them</Button>
          <Button
            variant="primary"
            loading={stow.isPending}
            disabledReason={
              isLocked
                ? "These refusals cannot be overridden"
                : reason.value.trim() === "" && "Write the reason first"
            }
            onClick={props.onAnyway}
          >
            Stow anyway
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RefusedRows caption="Refused items" rows={refused} total={stow.refusedCount} />
        {!isLocked && (
          <InputField
            label="Reason to stow them anyway"
            hint="Kept in the history of each item. Bins marked full stay closed."
            {...reason}
            placeholder="A second box is next to it"
          />
        )}
      </div>
    </Dialog>
  );
}
