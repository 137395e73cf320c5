import type { Preferences } from "@/features/profile/public";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { numberOf } from "@/shared/lib/amounts";
import { colorWords } from "@/shared/lib/colorNames";
import { counted } from "@/shared/lib/format";
import { priceText, valueText } from "@/shared/lib/worth";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useControl } from "@/shared/ui/useControl";
import { type CurrencyChange, previewCurrency, useChangeCurrency } from "./currency";

type Code = Preferences["currency"];

/** Asks what happens to prices when the account is kept in another currency, and shows it first. */
export function CurrencyDialog(props: { from: Code; to: Code; onClose: () => void }) {
  const { from, to, onClose } = props;
  const action = useControl<"keep" | "multiply">("keep");
  const typed = useControl("");
  const change = useChangeCurrency();
  const number = numberOf(typed.value);
  const isRate = Number(number) > 0;
  const rate = action.value === "keep" ? "" : number;
  const isAsked = action.value === "keep" || isRate;
  const preview = usePreview(
    ["currency"],
    isAsked ? { currency: to, rate } : null,
    previewCurrency,
  );

  return (
    <PreviewedActDialog
      onClose={onClose}
      title={`Change the currency from ${from} to ${to}`}
      description="What happens to your prices and costs?"
      size="md"
      act={`Change to ${to}`}
      pending={change.isPending}
      onAct={() => change.mutate({ currency: to, rate }, { onSuccess: onClose })}
      preview={preview}
      missing={!isAsked && "Type the rate"}
      show={(shown) => <Shown change={shown} multiplies={action.value === "multiply"} />}
    >
      <div className="flex flex-col items-start gap-4">
        <SegmentedControl
          label="What happens to prices"
          {...action}
          options={{ keep: "Keep the numbers", multiply: "Multiply by a rate" }}
        />
        <p className="text-muted text-sm">
          {action.value === "keep"
            ? `0.10 ${from} becomes 0.10 ${to}: only the currency's name changes.`
            : "Every price, tier price and cost is multiplied by your rate."}
        </p>
        {action.value === "multiply" && (
          <InputField
            label={`One ${from} is how many ${to}?`}
            className="w-52"
            error={typed.value !== "" && !isRate && "A number above 0, such as 0.92."}
            numeric
            autoFocus
            {...typed}
            placeholder="0.92"
          />
        )}
      </div>
    </PreviewedActDialog>
  );
}

function Shown({ change, multiplies }: { change: CurrencyChange; multiplies: boolean }) {
  const { currency_before: from, currency: to, examples, on_sale: onSale } = change;
  const concerned = [
    change.lots > 0 && `${counted(change.lots, "lot")} in stock`,
    change.batch_items > 0 && `${counted(change.batch_items, "batch item")}`,
    change.batches > 0 && `the cost of ${counted(change.batches, "batch", "batches")}`,
    change.sets > 0 && `what you paid for ${counted(change.sets, "set")}`,
  ].filter((part) => part !== false);
  return (
    <div role="status" className="flex w-full flex-col gap-2">
      <p>
        <span className="font-medium">
          Your stock: {valueText(change.value_before, from)} → {valueText(change.value_after, to)}
        </span>
        <span className="block text-muted text-sm">Concerns {concerned.join(", ")}.</span>
      </p>
      {examples.length > 0 && (
        <ul aria-label="Examples" className="divide-y divide-line border-line border-y text-sm">
          {examples.map((row) => (
            <li key={row.id} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <span className="min-w-0 flex-1 basis-48 truncate">
                <span className="font-mono text-muted text-xs">{row.item_number}</span>{" "}
                {[colorWords(row.color_name), row.part_name].filter(Boolean).join(" ")}
              </span>
              <span className="tabular-nums">
                {priceText(row.before, from)} → {priceText(row.after, to)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-muted text-sm">
        {multiplies &&
          onSale > 0 &&
          `${counted(onSale, "lot")} with a lot id of your store will count as changed since: the next sync or update sends the new prices. `}
        Orders keep their own currency, and your price rule keeps its minimum.
      </p>
    </div>
  );
}
