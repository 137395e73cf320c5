import { useEffect, useRef } from "react";
import { ExportEnd } from "./ExportEnd";
import type { OpenRow } from "./FailedExportDialog";
import type { ExportKind, ExportScope } from "./model";
import { readExportOptions } from "./options";
import { useExport } from "./useExport";

export type ExportAsked = ExportScope & { kind: ExportKind };

/**
 * One export that a menu asked for, with the options last used: the file is saved when it is
 * there, what could not be written is listed. Mount one for each and keep it mounted.
 */
export function ExportRun({ asked, openRow }: { asked: ExportAsked; openRow?: OpenRow }) {
  const exporting = useExport();
  const { start } = exporting;
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const { kind: _kind, ...options } = readExportOptions();
    const { kind, scope, batch_id } = asked;
    start({ kind, scope, batch_id, options: { ...options, state: "all" } });
  }, [start, asked]);

  return <ExportEnd exporting={exporting} openRow={openRow} />;
}
