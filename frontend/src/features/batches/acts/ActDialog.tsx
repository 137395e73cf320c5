import { GetPricesDialog } from "@/features/marketplace/public";
import type { Batch } from "../model";
import type { ActProps } from "./ActFrame";
import { ConsolidateDialog } from "./ConsolidateDialog";
import { MergeDialog, MoveDialog } from "./MoveDialog";
import { RecommendDialog } from "./RecommendDialog";
import { RepriceDialog } from "./RepriceDialog";
import { SplitDialog } from "./SplitDialog";
import { SpreadCostDialog } from "./SpreadCostDialog";

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
