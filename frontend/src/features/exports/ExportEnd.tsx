import { ConfirmUpload } from "./ConfirmUpload";
import { FailedExportDialog, type OpenRow } from "./FailedExportDialog";
import type { useExport } from "./useExport";

/** The dialogs at the end of an export: what it leaves out, and whether its file was uploaded. */
export function ExportEnd(props: {
  exporting: Pick<
    ReturnType<typeof useExport>,
    "refused" | "retryRefused" | "forgetRefused" | "toConfirm" | "forgetToConfirm"
  >;
  openRow: OpenRow | undefined;
}) {
  const { refused, retryRefused, forgetRefused, toConfirm, forgetToConfirm } = props.exporting;
  return (
    <>
      {toConfirm && <ConfirmUpload result={toConfirm} onClose={forgetToConfirm} />}
      {refused && (
        <FailedExportDialog
          result={refused}
          onRetry={retryRefused}
          openRow={props.openRow}
          onClose={forgetRefused}
        />
      )}
    </>
  );
}
