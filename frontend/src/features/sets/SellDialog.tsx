import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { BatchDialog, batchPickQueries, proposedBatch } from "@/features/catalog/public";
import { priceOf, shortPrice, whyNotPrice } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { agedText } from "@/shared/lib/worth";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { type Condition, conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { type SubCondition, subConditionOptions, type UserSet } from "./model";
import { useSellSet, useTakeOffSale } from "./mutations";
import { setQueries } from "./queries";

/** A whole set into a batch as one item, at the price that such sets fetch. */
export function SellDialog({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const formId = useId();
  const condition = useControl<Condition>(set.condition);
  const whole = useControl<SubCondition>(set.sub_condition || "C");
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [choosing, setChoosing] = useState(false);
  const sell = useSellSet();
  const takeOff = useTakeOffSale();

  const open = useQuery(batchPickQueries.pick(""));
  const batchId = chosen ?? proposedBatch(open.data);
  const head = useQuery({ ...batchPickQueries.head(batchId ?? 0), enabled: batchId !== null });
  const batch = batchId === null ? null : (head.data ?? null);

  const summary = useQuery(setQueries.summary(set.id, { condition: condition.value }));
  const known = summary.isPlaceholderData ? undefined : summary.data;
  const proposed = known?.value_of_set ?? null;
  const price = typed ?? (proposed === null ? "" : shortPrice(proposed));
  const problem = whyNotPrice(price);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem || !batch || sell.isPending) return;
    const item = {
      batch_id: batch.id,
      qty: set.quantity,
      condition: condition.value,
      sub_condition: whole.value,
      price: priceOf(price),
    };
    sell.mutate(
      { set, item },
      {
        onSuccess: ({ itemId, set: now }) => {
          toast.success(`${set.number} is for sale in ${batch.name}`, {
            action: {
              label: "Undo",
              run: () => takeOff.mutate({ itemId, set: now, state: set.state }),
            },
          });
          onClose();
        },
      },
    );
  };

  if (choosing) {
    return (
      <BatchDialog
        current={batchId}
        onClose={() => setChoosing(false)}
        onChoose={(id) => {
          setChosen(id);
          setChoosing(false);
        }}
      />
    );
  }
  return (
    <ActDialog
      onClose={onClose}
      title={`Sell ${set.number} as a set`}
      description={
        set.quantity > 1
          ? `${formatCount(set.quantity)} of ${set.name}, as one item of a batch.`
          : `${set.name}, as one item of a batch.`
      }
      size="md"
      act="Put up for sale"
      form={formId}
      pending={sell.isPending}
      why={!batch ? "Choose a batch first" : problem && "It needs a price"}
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {sell.error && <Notice tone="danger">{problemText(sell.error)}</Notice>}
        <LoadProblem query={open} what="Your batches" />
        <LoadProblem query={head} what="The batch" />
        <LoadProblem query={summary} what="What the set is worth" />
        <div className="flex min-w-0 flex-col items-start gap-1.5">
          <span className="font-medium text-xs">Batch</span>
          <Button
            aria-haspopup="dialog"
            aria-label={`Batch: ${batch?.name ?? "none yet"}, change`}
            loading={open.isPending || (batchId !== null && head.isPending)}
            onClick={() => setChoosing(true)}
            className="max-w-full"
          >
            <span className="truncate font-semibold">{batch?.name ?? "Choose…"}</span>
            <ChevronDown aria-hidden="true" className="size-4 text-muted" />
          </Button>
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <SegmentedControl label="Condition" {...condition} options={conditionNames} />
          <ChoiceField
            label="How whole"
            className="w-36"
            options={subConditionOptions}
            {...whole}
          />
        </div>
        <InputField
          label={`Price${set.quantity > 1 ? " of each" : ""}${known ? ` (${known.currency})` : ""}`}
          error={price !== "" && problem}
          hint={
            known &&
            (proposed === null
              ? "No price of it is known."
              : `Proposed by your price rule: ${agedText(known.value_of_set_at)}`)
          }
          className="w-56"
          numeric
          value={price}
          placeholder="0.00"
          onChange={setTyped}
        />
      </form>
    </ActDialog>
  );
}
