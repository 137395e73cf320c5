import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Dialog } from "@/shared/ui/Dialog";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import type { Export, ExportNotice } from "./model";

const columns: readonly SimpleColumn<ExportNotice>[] = [
  { header: "Id", cell: ({ id }) => <span className="text-muted tabular-nums">{id ?? "–"}</span> },
  { header: "Field", cell: ({ field }) => field },
  {
    header: "Note",
    grow: true,
    cell: ({ message }) => <span className="wrap-anywhere">{message}</span>,
  },
];

/** What is in a file in another form than it is kept here, such as a rounded price. */
export function Notices({ notices }: { notices: readonly ExportNotice[] }) {
  return (
    <SimpleTable
      caption="Written in another form"
      columns={columns}
      rows={notices}
      getKey={(_, index) => index}
    />
  );
}

/** The notes of a file that was written. */
export function NoticesDialog({ result, onClose }: { result: Export; onClose: () => void }) {
  const { notices, file_name } = result;
  return (
    <Dialog
      onClose={onClose}
      title="Written in another form"
      description={`These values are not in ${file_name} as they are kept here.`}
      size="lg"
      footer={
        <>
          <CopyButton
            label="Copy list"
            text={() =>
              notices.map(({ id, field, message }) => [id, field, message].join("\t")).join("\n")
            }
          />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <Notices notices={notices} />
    </Dialog>
  );
}
