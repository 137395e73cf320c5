import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Button } from "@/shared/ui/Button";
import { ExportEnd } from "./ExportEnd";
import type { OpenRow } from "./FailedExportDialog";
import { shortName } from "./kinds";
import type { ExportScope } from "./model";
import { readExportOptions } from "./options";
import { useExport } from "./useExport";

/** Writes a file of the chosen rows only, with the options last used. */
export function ExportSelected(props: {
  scope: ExportScope;
  /** The rows; asked for when the file is. */
  ids: () => Promise<number[]>;
  openRow?: OpenRow;
  disabledReason?: string | false;
}) {
  const { scope, ids, openRow, disabledReason } = props;
  const exporting = useExport();
  const { start, running } = exporting;
  const { kind } = readExportOptions();

  const write = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async () => {
      const { kind, ...options } = readExportOptions();
      const item_ids = await ids();
      start({ kind, ...scope, options: { ...options, state: "all", item_ids } });
    },
  });
  return (
    <>
      <Button
        size="sm"
        icon={<Download aria-hidden="true" className="size-3.5" />}
        loading={write.isPending || running}
        disabledReason={disabledReason}
        onClick={() => write.mutate()}
      >
        Export {shortName(kind)}
      </Button>
      <ExportEnd exporting={exporting} openRow={openRow} />
    </>
  );
}
