import { ChevronDown, Download } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { exportBatchItemsMark } from "@/shared/ui/dropdownRules";
import { Field, Select } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Popover } from "@/shared/ui/Popover";
import type { ExportOptions, ExportRequest } from "./model";
import { keepExportOptions, readExportOptions } from "./options";
import { useBsxExport } from "./useBsxExport";

const FailedExportDialog = lazyPart(() =>
  import("./FailedExportDialog").then((m) => m.FailedExportDialog),
);

/**
 * Starts at once with the options last used; they lie in a panel beside the button that is not
 * modal, so that the page stays as it is.
 */
export function ExportButton(props: {
  label: string;
  scope: Pick<ExportRequest, "scope" | "batch_id">;
  disabledReason?: string | null | false;
}) {
  const { label, scope, disabledReason } = props;
  const [options, setOptions] = useState(readExportOptions);
  const exporting = useBsxExport();
  const change = (changes: Partial<ExportOptions>) => {
    const next = { ...options, ...changes };
    setOptions(next);
    keepExportOptions(next);
  };
  const ofBatch = scope.scope === "batch";
  const start = () => {
    const { state, ...rest } = options;
    exporting.start({ ...scope, options: { ...rest, state: ofBatch ? state : "all" } });
  };

  return (
    <>
      <span className="inline-flex">
        <Button
          {...exportBatchItemsMark}
          icon={<Download aria-hidden="true" className="size-4" />}
          loading={exporting.running}
          disabledReason={disabledReason}
          onClick={start}
          className="rounded-r-none"
        >
          {label}
        </Button>
        <Popover
          label="Export options"
          trigger={
            <IconButton
              {...exportBatchItemsMark}
              label="Export options"
              variant="secondary"
              icon={<ChevronDown aria-hidden="true" className="size-4" />}
              className="-ml-px rounded-l-none"
            />
          }
        >
          <div className="flex flex-col gap-3">
            <p className="font-medium text-sm">BSX file for BrickStore</p>
            {ofBatch && (
              <Field label="Which items">
                <Select
                  value={options.state}
                  onChange={(event) =>
                    change({ state: event.target.value as ExportOptions["state"] })
                  }
                  options={stateOptions}
                />
              </Field>
            )}
            <Checkbox
              label="Lots with quantity 0 too"
              checked={options.include_zero_quantity}
              onChange={(event) => change({ include_zero_quantity: event.target.checked })}
            />
            <Checkbox
              label="For BrickSync or BrickStock"
              hint="Older programs: with a DOCTYPE and without the currency."
              checked={options.compatible}
              onChange={(event) => change({ compatible: event.target.checked })}
            />
            <p className="text-muted text-xs">
              These are kept in this browser. The button uses them at once.
            </p>
          </div>
        </Popover>
      </span>
      {exporting.refused && (
        <FailedExportDialog
          result={exporting.refused}
          onRetry={exporting.retryRefused}
          onClose={exporting.forgetRefused}
        />
      )}
    </>
  );
}

const stateOptions = [
  { value: "all", label: "All items" },
  { value: "new", label: "New only" },
  { value: "stowed", label: "Stowed only" },
  { value: "listed", label: "Listed only" },
];
