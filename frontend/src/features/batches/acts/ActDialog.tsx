import { useState } from "react";
import { GetPricesDialog } from "@/features/marketplace/public";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted, formatMoney } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { CheckField } from "@/shared/ui/Checkbox";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useControl } from "@/shared/ui/useControl";
import type { Batch } from "../model";
import { ActFrame, type ActProps, figure, lots, nameColumn, textOf } from "./ActFrame";
import { BatchPicker } from "./BatchPicker";
import { ConsolidateDialog } from "./ConsolidateDialog";
import { RepriceDialog } from "./RepriceDialog";

export type ActKind =
  | "prices"
  | "reprice"
  | "spread"
  | "recommend"
  | "consolidate"
  | "split"
  | "move"
  | "copy"
  | "merge";

/** The dialog of an act on many items of a batch. */
export function ActDialog(props: { kind: ActKind; batch: Batch; act: ActProps }) {
  const { kind, batch, act } = props;
  switch (kind) {
    case "prices":
      return (
        <GetPricesDialog
          of={{ of: "batch", id: act.batchId, body: { items: act.items } }}
          count={act.count}
          onDone={act.onDone}
          onClose={act.onClose}
        />
      );
    case "reprice":
      return <RepriceDialog act={act} />;
    case "spread":
      return <SpreadCostDialog act={act} cost={batch.cost_total} />;
    case "recommend":
      return <RecommendDialog act={act} />;
    case "consolidate":
      return <ConsolidateDialog act={act} />;
    case "split":
      return <SplitDialog act={act} />;
    case "move":
    case "copy":
      return <MoveDialog act={act} copy={kind === "copy"} />;
    case "merge":
      return <MergeDialog act={act} name={batch.name} />;
  }
}

/** Carries items to another batch, or copies them there. */
function MoveDialog({ act, copy }: { act: ActProps; copy: boolean }) {
  const [to, setTo] = useState<Batch | null>(null);
  return (
    <ActFrame
      act={act}
      verb="moveItems"
      title={`${copy ? "Copy" : "Move"} ${lots(act.count)} to another batch`}
      description={
        copy
          ? "They stay here; the other batch gets copies as new items."
          : "They keep their state and their stock."
      }
      options={to && { to_batch_id: to.id, copy }}
      missing="Choose a batch"
      doLabel={copy ? "Copy" : "Move"}
      summary={(acted) =>
        `${lots(figure(acted, "changed"))} with ${counted(figure(acted, "items"), "piece")}`
      }
      idle={(acted) => figure(acted, "changed") === 0}
      columns={[nameColumn, { header: "Quantity", align: "end", cell: (row) => row.quantity }]}
    >
      <BatchPicker label="Batch" except={copy ? null : act.batchId} value={to} onChange={setTo} />
    </ActFrame>
  );
}

/** Carries everything of a batch to another one; the empty one is archived. */
function MergeDialog({ act, name }: { act: ActProps; name: string }) {
  const [to, setTo] = useState<Batch | null>(null);
  return (
    <ActFrame
      act={act}
      verb="merge"
      title={`Merge ${name} into another batch`}
      description="All its items, its cost and its weight move there. The empty batch is archived."
      options={to && { to_batch_id: to.id }}
      missing="Choose a batch"
      doLabel="Merge"
      summary={(acted) => {
        const cost = acted.figures.cost_total;
        return `${counted(figure(acted, "changed"), "lot goes", "lots go")} to ${to?.name ?? ""}${
          cost ? `, which then cost ${valueText(cost)}` : ""
        }`;
      }}
      idle={() => false}
      columns={[]}
    >
      <BatchPicker label="Into" except={act.batchId} value={to} onChange={setTo} />
    </ActFrame>
  );
}

/** The recommended bin for each new item, all seeing the room that the others take. */
function RecommendDialog({ act }: { act: ActProps }) {
  const replace = useControl(false);
  return (
    <ActFrame
      act={act}
      verb="recommendLocations"
      title={`Recommend bins for ${lots(act.count)}`}
      description="Beside the same part, colour and condition, else the best free place. They are planned, not stowed."
      options={{ replace: replace.value }}
      doLabel="Plan them"
      summary={(acted) =>
        `${lots(figure(acted, "changed"))} planned into ${counted(figure(acted, "locations"), "bin")}`
      }
      idle={(acted) => figure(acted, "changed") === 0}
      columns={[
        nameColumn,
        { header: "Quantity", align: "end", cell: (row) => row.quantity },
        {
          header: "Now",
          cell: (row) => <span className="whitespace-nowrap">{textOf(row.before) || "–"}</span>,
        },
        {
          header: "Then",
          cell: (row) => <span className="whitespace-nowrap">{textOf(row.after)}</span>,
        },
      ]}
    >
      <CheckField label="Also where one is planned already" {...replace} />
    </ActFrame>
  );
}

/** A batch for each bin, or for each aisle. */
function SplitDialog({ act }: { act: ActProps }) {
  const by = useControl<"location" | "aisle">("aisle");
  return (
    <ActFrame
      act={act}
      verb="split"
      title={`Split ${lots(act.count)} by bin`}
      description="The lots of each bin go to a batch of their own. Those without a bin stay."
      options={{ by: by.value }}
      doLabel="Split"
      summary={(acted) =>
        figure(acted, "batches") === 0
          ? "Nothing to split"
          : `${counted(figure(acted, "batches"), "new batch", "new batches")} with ${lots(figure(acted, "changed"))}`
      }
      idle={(acted) => figure(acted, "batches") === 0}
      columns={[
        { header: "Batch", grow: true, cell: (row) => row.name },
        { header: "Lots", align: "end", cell: (row) => row.lots },
        { header: "Pieces", align: "end", cell: (row) => row.items },
      ]}
    >
      <SegmentedControl
        label="A batch for"
        {...by}
        options={{ aisle: "Each aisle (A of A-01)", location: "Each bin" }}
      />
    </ActFrame>
  );
}

/** What the batch cost, spread over its items as the cost of one piece. */
function SpreadCostDialog({ act, cost }: { act: ActProps; cost: string | null }) {
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
