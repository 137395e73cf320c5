import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { When } from "@/shared/ui/When";
import type { InventorySync } from "./model";
import { syncQueries } from "./queries";

/** A preview that was closed without a decision is not lost: it is offered above the rows. */
export function UndecidedImport(props: {
  target?: InventorySync["target"];
  onShow: (id: number) => void;
}) {
  const { target = "stock", onShow } = props;
  const sync = useSideQuery(syncQueries.undecided(target), "whether an import waits for you");
  if (!sync) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="info"
        title="An import waits for your decision"
        actions={
          <Button size="sm" onClick={() => onShow(sync.id)}>
            {target === "batch" ? "Show what was read" : "Show what it would change"}
          </Button>
        }
      >
        {sync.file_name}, <When at={sync.createdAt} />. Nothing has changed yet.
      </Notice>
    </div>
  );
}
