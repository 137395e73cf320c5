import type { FormEvent } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { numberOf } from "@/shared/lib/amounts";
import { formatCount, formatWeight } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { InputField } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { MAX_QUANTITY } from "../find/card";

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

type Weighed = { count: number; rest: number } | { problem: string };

/**
 * The number of pieces of this weight. `rest` is the distance to a whole number, as a share of a
 * piece: from 0 (exact) to 0.5.
 */
export function countOf(gramsText: string, weightGrams: string | null): Weighed {
  const each = Number(weightGrams ?? 0);
  if (!(each > 0)) return { problem: "The catalogue has no weight for this item: count them." };
  const grams = Number(numberOf(gramsText));
  if (gramsText.trim() === "" || !Number.isFinite(grams) || grams <= 0) {
    return { problem: "Type the grams that the scale shows, such as 46.4." };
  }
  const exact = grams / each;
  const count = Math.round(exact);
  if (count < 1) return { problem: "That is less than one piece." };
  if (count > MAX_QUANTITY) return { problem: "That is more than a lot can have." };
  return { count, rest: Math.abs(exact - count) };
}
