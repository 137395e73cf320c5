import type { FormEvent } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { formatCount, formatWeight } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { InputField } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { countOf } from "./weigh";

/**
 * From a quarter of a piece: something else is on the scale, or the weight belongs to another
 * mould.
 */
const DOUBTFUL = 0.25;

/** Converts grams on the scale to a number of pieces. */
export function WeighDialog(props: {
  item: CatalogItem;
  onClose: () => void;
  onCount: (quantity: number) => void;
}) {
  const { item, onClose, onCount } = props;
  const grams = useControl("");
  const weighed = countOf(grams.value, item.weight);
  const count = "count" in weighed ? weighed.count : null;
  const hasWeight = Number(item.weight ?? 0) > 0;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (count !== null) onCount(count);
  };
  return (
    <ActDialog
      onClose={onClose}
      title="Count by weight"
      description={
        hasWeight
          ? `One ${item.item_number} weighs ${formatWeight(item.weight ?? "0")}.`
          : "The catalogue has no weight for this item: count them."
      }
      size="sm"
      act={count === null ? "Take the count" : `Take ${formatCount(count)}`}
      why={count === null && "problem" in weighed && weighed.problem}
      onAct={() => count !== null && onCount(count)}
    >
      {hasWeight && (
        <form onSubmit={submit} className="flex flex-col gap-3">
          <InputField
            label="Grams on the scale"
            error={grams.value !== "" && "problem" in weighed ? weighed.problem : undefined}
            autoFocus
            numeric
            inputMode="decimal"
            {...grams}
          />
          <output aria-label="Pieces" className="font-bold text-4xl tabular-nums">
            {count === null ? "–" : formatCount(count)}
          </output>
          {"rest" in weighed && weighed.rest > DOUBTFUL && (
            <Notice tone="warning">
              The weight is between two counts: is anything else on the scale?
            </Notice>
          )}
        </form>
      )}
    </ActDialog>
  );
}
