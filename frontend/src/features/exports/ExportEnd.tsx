import { ConfirmUpload } from "./ConfirmUpload";
import { FailedExportDialog, type OpenRow } from "./FailedExportDialog";
import { NoticesDialog } from "./Notices";
import type { useExport } from "./useExport";

/**
 * The dialogs at the end of an export, one after the other: what it leaves out, what is in it in
 * another form, and whether its file was uploaded.
 */
export function ExportEnd(props: {
  exporting: Omit<ReturnType<typeof useExport>, "start" | "running">;
  openRow: OpenRow | undefined;
}) {
  const { exporting, openRow } = props;
  const { refused, noted, toConfirm } = exporting;
  if (refused) {
    return (
      <FailedExportDialog
        result={refused}
        onRetry={exporting.retryRefused}
        openRow={openRow}
        onClose={exporting.forgetRefused}
      />
    );
  }
  if (noted) return <NoticesDialog result={noted} onClose={exporting.forgetNoted} />;
  return toConfirm && <ConfirmUpload result={toConfirm} onClose={exporting.forgetToConfirm} />;
}
