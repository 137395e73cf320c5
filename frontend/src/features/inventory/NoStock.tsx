import { Boxes, FileUp, Plus } from "lucide-react";
import { PullStore } from "@/features/marketplace/public";
import { paths } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EmptyState } from "@/shared/ui/states";

/** What an empty stock begins with. */
export function NoStock(props: { unconsolidated: boolean; onImport: () => void }) {
  const { unconsolidated, onImport } = props;
  if (unconsolidated) {
    return (
      <EmptyState icon={Boxes} title="Nothing to consolidate">
        No lot (same item, colour and condition) is in more than one bin.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Boxes}
      title="No stock yet"
      actions={
        <>
          <ButtonLink to={paths.batches} icon={Plus}>
            Start a batch
          </ButtonLink>
          <PullStore />
          <Button variant="primary" icon={FileUp} onClick={onImport}>
            Import a file
          </Button>
        </>
      }
    >
      Drop a file of your store here (BSX, XML, CSV or a spreadsheet), or stow a batch.
    </EmptyState>
  );
}
