import { useState } from "react";
import { counted } from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import type { Batch } from "../model";
import { ActFrame, type ActProps, figure, lots, nameColumn } from "./ActFrame";
import { BatchPicker } from "./BatchPicker";

/** Carries items to another batch, or copies them there. */
export function MoveDialog({ act, copy }: { act: ActProps; copy: boolean }) {
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
export function MergeDialog({ act, name }: { act: ActProps; name: string }) {
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
