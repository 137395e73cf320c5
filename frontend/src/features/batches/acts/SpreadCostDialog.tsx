import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { formatMoney } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useControl } from "@/shared/ui/useControl";
import { ActFrame, type ActProps, figure, lots, nameColumn, textOf } from "./ActFrame";

/** What the batch cost, spread over its items as the cost of one piece. */
export function SpreadCostDialog({ act, cost }: { act: ActProps; cost: string | null }) {
  const by = useControl<"price" | "weight" | "pieces">("price");
  const total = useControl(cost === null ? "" : String(Number(cost)));
  const problem = whyNotPrice(total.value);
  return (
    <ActFrame
      act={act}
      verb="spreadCost"
      title={`Spread the cost over ${lots(act.count)}`}
      description="The costs of all pieces add up to the sum, to the last cent."
      options={problem ? null : { by: by.value, total: priceOf(total.value) }}
      missing={problem ?? undefined}
      doLabel="Spread cost"
      summary={(acted) =>
        `${valueText(figure(acted, "total"))} spread: the cost of ${lots(figure(acted, "changed"))} changes`
      }
      idle={(acted) => figure(acted, "changed") === 0}
      columns={[
        nameColumn,
        { header: "Quantity", align: "end", cell: (row) => row.quantity },
        { header: "Cost now", align: "end", cell: (row) => formatMoney(textOf(row.before)) },
        { header: "Then", align: "end", cell: (row) => formatMoney(textOf(row.after)) },
        { header: "Together", align: "end", cell: (row) => formatMoney(row.sum ?? null) },
      ]}
    >
      <div className="flex flex-wrap items-end gap-4">
        <InputField
          label="What it cost"
          error={total.value !== "" && problem}
          className="w-36"
          numeric
          autoFocus
          {...total}
        />
        <SegmentedControl
          label="Spread by"
          {...by}
          options={{ price: "By price", weight: "By weight", pieces: "By pieces" }}
        />
      </div>
    </ActFrame>
  );
}
