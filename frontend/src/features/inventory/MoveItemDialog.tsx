import { useState } from "react";
import { type Bin, LocationPicker, OverLimit } from "@/features/locations/public";
import { isJob } from "@/shared/api/startedJobs";
import { wholeOf } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { ActDialog } from "@/shared/ui/ActDialog";
import { CheckField } from "@/shared/ui/Checkbox";
import { InputField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";
import { capacityOf, type MoveRequest, useMoveItems, useTellAct } from "./acts";
import type { ChosenRows, InventoryItem } from "./model";
import { piecesIn, rowsIn, whyNotMove } from "./rules";

/** Carries all or some pieces of a row somewhere else. */
export function MoveItemDialog({ item, onClose }: { item: InventoryItem; onClose: () => void }) {
  const quantity = useControl(numberText(item.quantity));
  const problem = whyNotMove(quantity.value, item);
  const pieces = wholeOf(quantity.value);
  return (
    <MoveDialog
      title={`Move ${item.part_name || item.item_number}`}
      description={`${formatCount(item.quantity)} in ${item.location_name ?? "no bin"}`}
      except={item.location_id ?? undefined}
      whyNot={problem}
      rows={{ items: [{ id: item.id, quantity: pieces }] }}
      done={(to) => `${piecesIn(pieces)} moved to ${to}`}
      onClose={onClose}
    >
      <InputField
        label="How many"
        error={problem}
        hint={problem || pieces === item.quantity ? undefined : "The rest stays where it is."}
        numeric
        {...quantity}
      />
    </MoveDialog>
  );
}

/** Carries whole rows somewhere else: those chosen, or all that match. */
export function MoveRowsDialog(props: {
  rows: ChosenRows;
  count: number;
  onClose: () => void;
  onMoved?: (() => void) | undefined;
}) {
  const { count, onMoved } = props;
  return (
    <MoveDialog
      title={`Move ${rowsIn(count)}`}
      description="Everything in them moves; matching rows are merged."
      rows={props.rows}
      done={(to) => `${rowsIn(count)} moved to ${to}`}
      onClose={props.onClose}
      onMoved={onMoved}
    />
  );
}

function MoveDialog(props: {
  title: string;
  description: string;
  except?: number;
  whyNot?: string | null;
  rows: ChosenRows | { items: readonly { id: number; quantity: number }[] };
  done: (to: string) => string;
  children?: React.ReactNode;
  onClose: () => void;
  onMoved?: (() => void) | undefined;
}) {
  const { title, description, except, whyNot, rows, done, children, onClose, onMoved } = props;
  const [to, setTo] = useState<Bin | null>(null);
  const [nowhere, setNowhere] = useState(false);
  const [reason, setReason] = useState("");
  const mutation = useMoveItems({ tellsFailure: (error: Error) => !capacityOf(error) });
  const tell = useTellAct();
  const refusal = capacityOf(mutation.error);
  const target = nowhere ? "no bin" : to?.name;

  const move = () => {
    if (target === undefined) return;
    const body: MoveRequest = {
      ...rows,
      to: nowhere ? null : (to?.id ?? null),
      ...(refusal && { override_reason: reason.trim() }),
    };
    mutation.mutate(body, {
      onSuccess: (answer) => {
        if (!isJob(answer)) tell(done(target), answer.act_id);
        onMoved?.();
        onClose();
      },
    });
  };

  return (
    <ActDialog
      onClose={onClose}
      title={title}
      description={description}
      size="sm"
      act={refusal ? "Move anyway" : "Move"}
      pending={mutation.isPending}
      why={target === undefined ? "Choose where to" : whyNot}
      onAct={move}
    >
      <div className="flex flex-col gap-4">
        {!nowhere && (
          <LocationPicker
            label="Move to"
            value={to}
            onChange={(location) => {
              setTo(location);
              mutation.reset();
            }}
            except={except}
            canCreate
            autoFocus
            required
          />
        )}
        <CheckField
          label="Remove from bin"
          value={nowhere}
          onChange={(checked) => {
            setNowhere(checked);
            mutation.reset();
          }}
        />
        {children}
        {refusal && <OverLimit refusal={refusal} reason={reason} onReason={setReason} />}
      </div>
    </ActDialog>
  );
}
