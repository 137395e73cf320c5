import { Boxes } from "lucide-react";
import { paths, pathTo } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { EmptyState } from "@/shared/ui/states";
import type { Batch } from "../model";

/** Says why no row is shown, and what brings some. */
export function NoItems(props: {
  batch: Batch;
  filtered: boolean;
  onShowAll: () => void;
  onAdd: () => void;
  onImport: () => void;
}) {
  const { batch, filtered } = props;
  if (filtered && batch.batch_item_lot_count > 0) {
    return (
      <EmptyState
        title="No items in this state"
        actions={<Button onClick={props.onShowAll}>Show all</Button>}
      />
    );
  }
  if (batch.is_archived) return <EmptyState title="The batch is empty" />;
  return (
    <EmptyState
      icon={Boxes}
      title="Nothing yet"
      actions={
        <>
          <Button onClick={props.onAdd}>Add by number</Button>
          <Button needs="write batches/importBsx" onClick={props.onImport}>
            Import a file
          </Button>
          <ButtonLink to={paths.catalog}>Add from the catalogue</ButtonLink>
          <ButtonLink to={pathTo("stow", { batch: batch.id })} variant="primary">
            Add items
          </ButtonLink>
        </>
      }
    >
      Identify parts one by one, add them from the catalogue, or import a BSX file.
    </EmptyState>
  );
}
