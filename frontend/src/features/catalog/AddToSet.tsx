import { Puzzle } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { wholeOf, whyNotPieces } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { type SetDestination, useSetDestinations } from "./adding/useSetDestinations";
import type { CatalogItem, CatalogLot } from "./model";

/** Puts pieces of the chosen colour aside for one of the person's sets that lacks it. */
export function AddToSet({ item, lot }: { item: CatalogItem; lot: CatalogLot }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Puzzle} onClick={() => setOpen(true)}>
        Add to set
      </Button>
      {open && <AddToSetDialog item={item} lot={lot} onClose={() => setOpen(false)} />}
    </>
  );
}

const lackOf = (set: SetDestination) => set.qty_required - set.qty_on_hand;

function AddToSetDialog(props: { item: CatalogItem; lot: CatalogLot; onClose: () => void }) {
  const { item, lot, onClose } = props;
  const {
    sets,
    putAside,
    puttingAside: sending,
    pending,
    error,
    tryAgain,
  } = useSetDestinations(lot.id);
  const [chosen, setChosen] = useState<number | null>(null);
  const text = useControl("1");
  const id = useId();
  const set = sets.find((each) => each.user_set_id === chosen) ?? sets[0];
  const quantity = wholeOf(text.value);
  const problem = !set
    ? null
    : (whyNotPieces(text.value) ??
      (quantity > lackOf(set) ? `${set.number} lacks ${formatCount(lackOf(set))}.` : null));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!set || problem || sending) return;
    putAside(set, quantity, onClose);
  };

  return (
    <Dialog
      onClose={onClose}
      title={`Add ${item.item_number} ${lot.color_name} to a set`}
      description="The pieces count as on hand for the set; your bins stay as they are."
      size="sm"
      locked={sending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {set && (
            <Button
              type="submit"
              form={id}
              variant="primary"
              loading={sending}
              disabledReason={problem}
            >
              Add to set
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={tryAgain} />
      ) : pending ? (
        <Loading />
      ) : !set ? (
        <EmptyState
          title="None of your sets lacks it"
          actions={<ButtonLink to={paths.sets}>My Sets</ButtonLink>}
        >
          Sets that you have added and not finished are listed here while they lack{" "}
          {lot.color_name || "this"} {item.item_name}.
        </EmptyState>
      ) : (
        <form id={id} onSubmit={submit} className="flex flex-col gap-4">
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium text-xs">Set</legend>
            {sets.map((each) => (
              <label
                key={each.user_set_id}
                className="flex cursor-pointer items-baseline gap-2 rounded-control px-2 py-1.5 hover:bg-hover has-checked:bg-accent-tint"
              >
                <input
                  type="radio"
                  name={`${id}-set`}
                  className="accent-(--accent)"
                  checked={each === set}
                  onChange={() => setChosen(each.user_set_id)}
                />
                <span className="shrink-0 font-semibold tabular-nums">{each.number}</span>
                <span className="min-w-0 flex-1 truncate">{each.name}</span>
                <span className="shrink-0 text-muted text-sm tabular-nums">
                  {formatCount(each.qty_on_hand)} of {formatCount(each.qty_required)}
                </span>
              </label>
            ))}
          </fieldset>
          <InputField
            label="Quantity"
            error={problem}
            className="w-28"
            numeric
            autoFocus
            {...text}
          />
        </form>
      )}
    </Dialog>
  );
}
