import { LabelsDialog } from "@/features/locations/public";
import { GetPricesDialog } from "@/features/marketplace/public";
import {
  ConsolidateDialog,
  ListRows,
  MoveItemDialog,
  MoveRowsDialog,
  RepriceDialog,
  SplitDialog,
  StartImport,
  SyncHistory,
} from "./dialogParts";
import { EditRow } from "./EditRow";
import type { StockDialog } from "./view";

/** The dialog that a button or a row's menu opened. */
export function Dialogs(props: {
  opened: StockDialog;
  onClose: () => void;
  onSync: (id: number) => void;
  onListing: (jobId: string) => void;
}) {
  const { opened, onClose, onSync, onListing } = props;
  switch (opened.view) {
    case "edit":
      return <EditRow item={opened.item} first={opened.first} onClose={onClose} />;
    case "move":
      return <MoveItemDialog item={opened.item} onClose={onClose} />;
    case "split":
      return <SplitDialog item={opened.item} onClose={onClose} />;
    case "moveRows":
      return (
        <MoveRowsDialog
          rows={opened.rows}
          count={opened.count}
          onMoved={opened.clear}
          onClose={onClose}
        />
      );
    case "reprice":
      return (
        <RepriceDialog
          rows={opened.rows}
          count={opened.count}
          onDone={opened.clear}
          onClose={onClose}
        />
      );
    case "prices":
      return (
        <GetPricesDialog
          of={{ of: "lots", body: opened.rows }}
          count={opened.count}
          onDone={opened.clear}
          onClose={onClose}
        />
      );
    case "consolidate":
      return <ConsolidateDialog rows={opened.rows} onDone={opened.clear} onClose={onClose} />;
    case "stock":
    case "unlist":
      return (
        <ListRows
          act={opened.view}
          rows={opened.rows}
          count={opened.count}
          onClose={onClose}
          onStarted={(jobId) => {
            opened.clear?.();
            onClose();
            onListing(jobId);
          }}
        />
      );
    case "label":
      return (
        <LabelsDialog
          choice={{
            ids: opened.item.location_id === null ? [] : [opened.item.location_id],
            count: 1,
          }}
          onClose={onClose}
        />
      );
    case "imports":
      return <SyncHistory onClose={onClose} />;
    case "import":
      return (
        <StartImport
          file={opened.file}
          refusedKey={opened.refused}
          onClose={onClose}
          onStarted={(id) => {
            onClose();
            onSync(id);
          }}
        />
      );
  }
}
