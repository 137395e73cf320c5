import { type Batch, historyKeyOf } from "../model";
import { resultWords } from "../operations";
import {
  ActDialog,
  AddItemDialog,
  BatchCharts,
  BatchForm,
  DeleteBatch,
  EditItem,
  FailedItemsDialog,
  ImportBatchDialog,
  LabelDialog,
  ListDialog,
  LocationDialog,
  OperationsLog,
  RemoveDialog,
  StowDialog,
} from "../parts";
import type { Dialog } from "./dialog";

/** The dialog that is open over the batch, and what follows when it is done. */
export function BatchDialogs(props: {
  dialog: Dialog | null;
  batch: Batch;
  onClose: () => void;
  onGone: () => void;
  onDialog: (dialog: Dialog | null) => void;
  onListing: (jobId: string) => void;
  onJob: (jobId: string) => void;
}) {
  const { dialog, batch, onClose, onGone, onDialog, onListing, onJob } = props;
  if (dialog === null) return null;
  const doneWith = (clear: () => void) => () => {
    clear();
    onClose();
  };
  switch (dialog.kind) {
    case "add":
      return <AddItemDialog batch={batch} historyKey={historyKeyOf(batch)} onClose={onClose} />;
    case "edit":
      return <BatchForm batch={batch} onClose={onClose} />;
    case "delete":
      return <DeleteBatch batch={batch} onClose={onClose} onDeleted={onGone} />;
    case "editItem":
      return <EditItem item={dialog.item} onClose={onClose} />;
    case "label":
      return <LabelDialog batch={batch} onClose={onClose} />;
    case "import":
      return <ImportBatchDialog into={batch} refusedKey={dialog.refused} onClose={onClose} />;
    case "charts":
      return <BatchCharts batch={batch} onClose={onClose} />;
    case "log":
      return <OperationsLog batchId={batch.id} onClose={onClose} />;
    case "refused":
      return (
        <FailedItemsDialog
          title={dialog.title}
          items={dialog.items}
          total={dialog.total}
          onClose={onClose}
        />
      );
    case "plan": {
      const { item, ids, clear } = dialog;
      const id = item?.user_inventory_item_location_id;
      const name = item?.user_inventory_item_location_name;
      return (
        <LocationDialog
          batchId={batch.id}
          ids={ids}
          present={id && name ? { id, name } : null}
          onClose={onClose}
          onDone={doneWith(clear)}
        />
      );
    }
    case "act": {
      const { items, count, clear } = dialog.chosen;
      const act = { batchId: batch.id, items, count, onClose, onDone: doneWith(clear) };
      return <ActDialog kind={dialog.act} batch={batch} act={act} />;
    }
    case "stow":
      return (
        <StowDialog
          {...{ batchId: batch.id, onClose, onJob, left: dialog.left }}
          items={dialog.chosen.items}
          count={dialog.chosen.count}
          onDone={doneWith(dialog.chosen.clear)}
        />
      );
    case "list":
      return (
        <ListDialog
          {...{ batchId: batch.id, onClose }}
          items={dialog.chosen.items}
          count={dialog.chosen.count}
          onStarted={(jobId) => {
            doneWith(dialog.chosen.clear)();
            onListing(jobId);
          }}
        />
      );
    case "remove": {
      const { items, count, known, clear } = dialog.chosen;
      return (
        <RemoveDialog
          {...{ batchId: batch.id, items, count, known, onClose, onJob }}
          onDone={(refused) => {
            clear();
            const title = resultWords("remove", count - refused.length, refused.length);
            onDialog(refused.length === 0 ? null : { kind: "refused", title, items: refused });
          }}
        />
      );
    }
  }
}
