import { ChevronDown, Download } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "@/shared/ui/Button";
import { exportBatchItemsMark } from "@/shared/ui/dropdownRules";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Popover } from "@/shared/ui/Popover";
import type { OpenRow } from "./FailedExportDialog";
import { shortName } from "./kinds";
import type { ExportRequest, ExportScope } from "./model";
import { type ExportChoice, keepExportOptions, readExportOptions } from "./options";
import { useExport } from "./useExport";

const ExportEnd = lazyPart(() => import("./ExportEnd").then((m) => m.ExportEnd));
const ExportOptionsPanel = lazyPart(() =>
  import("./ExportOptionsPanel").then((m) => m.ExportOptionsPanel),
);
const PreviewDialog = lazyPart(() => import("./PreviewDialog").then((m) => m.PreviewDialog));
const EarlierExports = lazyPart(() => import("./EarlierExports").then((m) => m.EarlierExports));

/**
 * Starts at once with the last used options. They are in a panel beside the button, which is not
 * modal, so that the page stays usable.
 */
export function ExportButton(props: {
  /** Without it the button names the format that it writes. */
  label?: string;
  variant?: "primary" | "secondary";
  scope: ExportScope;
  disabledReason?: string | null | false;
  /** Opens a row that could not be written. */
  openRow?: OpenRow;
}) {
  const { scope, disabledReason, openRow, variant = "secondary" } = props;
  const [choice, setChoice] = useState(readExportOptions);
  const [opened, setOpened] = useState<"preview" | "earlier" | null>(null);
  const exporting = useExport();
  const change = (changes: Partial<ExportChoice>) => {
    const next = { ...choice, ...changes };
    setChoice(next);
    keepExportOptions(next);
  };
  const { kind, ...options } = choice;
  const state = scope.scope === "batch" ? options.state : "all";
  const request: ExportRequest = { kind, ...scope, options: { ...options, state } };
  const start = () => exporting.start(request);

  return (
    <>
      <span className="inline-flex">
        <Button
          {...exportBatchItemsMark}
          variant={variant}
          icon={Download}
          loading={exporting.running}
          disabledReason={disabledReason}
          onClick={start}
          className="rounded-r-none"
        >
          {props.label ?? `Export ${shortName(kind)}`}
        </Button>
        <Popover
          label="Export options"
          trigger={
            <IconButton
              {...exportBatchItemsMark}
              label="Export options"
              variant={variant}
              icon={ChevronDown}
              className="-ml-px rounded-l-none"
            />
          }
        >
          <ExportOptionsPanel scope={scope} choice={choice} onChange={change} onOpen={setOpened} />
        </Popover>
      </span>
      {opened === "preview" && (
        <PreviewDialog
          request={request}
          openRow={openRow}
          onWrite={() => {
            setOpened(null);
            start();
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === "earlier" && (
        <EarlierExports scope={scope} openRow={openRow} onClose={() => setOpened(null)} />
      )}
      {(exporting.toConfirm || exporting.noted || exporting.refused) && (
        <ExportEnd exporting={exporting} openRow={openRow} />
      )}
    </>
  );
}
