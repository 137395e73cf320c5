import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { ApiError } from "@/shared/api/errors";
import type { Schema } from "@/shared/api/wire";
import { counted, formatCount } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { handing } from "@/shared/lib/useHandedFile";
import { useRefusedUpload } from "@/shared/outbox/useRefusedUpload";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { FileDrop } from "@/shared/ui/FileDrop";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { Loading, Notice } from "@/shared/ui/states";
import { useTakeInFile } from "./mutations";

type Taken = Schema<"OrderFileRow">;

/** Orders of a file: what came, what changed, and of each that could not be read why. */
export function OrderFileDialog(props: {
  dropped?: File;
  /** Of a file that was refused after this dialog was left. */
  refusedKey?: string;
  onClose: () => void;
}) {
  const { dropped } = props;
  const { refused, forget } = useRefusedUpload(props.refusedKey);
  const onClose = () => {
    forget();
    props.onClose();
  };
  const take = useTakeInFile();
  const navigate = useNavigate();
  const { mutate } = take;
  const sent = useRef<File>(undefined);
  useEffect(() => {
    if (!dropped || sent.current === dropped) return;
    sent.current = dropped;
    mutate(dropped);
  }, [dropped, mutate]);
  const file = take.variables ?? refused?.file;
  const error = take.error ?? (take.isIdle ? refused?.error : null);
  const isNoOrderFile = error instanceof ApiError && error.code === "UNREADABLE_FILE";
  const isKept = take.isSuccess && take.data === null;

  return (
    <Dialog
      onClose={onClose}
      title="Orders from a file"
      description="BrickLink's order download, as XML or CSV. The same file twice changes nothing, and orders from the connected store stay as they are."
      size="lg"
      locked={take.isPending}
      holdsInput={false}
      footer={
        <Button variant={take.isSuccess ? "primary" : "secondary"} onClick={onClose}>
          {take.isSuccess ? "Done" : "Cancel"}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {error && (
          <Notice
            tone="danger"
            title={file ? `Nothing was imported from ${file.name}` : "Nothing was imported"}
            actions={
              isNoOrderFile &&
              file && (
                <Button size="sm" onClick={() => void navigate(paths.inventory, handing(file))}>
                  Import it into the inventory
                </Button>
              )
            }
          >
            {problemText(error)}
          </Notice>
        )}
        {take.isPending ? (
          <Loading label={`Reading ${file?.name ?? "the file"}`} />
        ) : isKept ? (
          <Notice tone="warning" title={`${file?.name} is kept on this computer`}>
            Its orders are imported when the server answers; you then see what could not be read.
          </Notice>
        ) : take.data && file ? (
          <Result taken={take.data} name={file.name} />
        ) : (
          <FileDrop
            label="Drop an order file here, or choose one"
            hint="At BrickLink: Orders received, Download."
            onFile={(chosen) => take.mutate(chosen)}
          />
        )}
      </div>
    </Dialog>
  );
}

function Result({ taken, name }: { taken: Taken; name: string }) {
  const told = [
    `${counted(taken.new, "new order")}`,
    `${formatCount(taken.changed)} changed`,
    `${formatCount(taken.same)} known already`,
  ].join(", ");
  return (
    <>
      <Notice
        tone={taken.refused.length > 0 || taken.lacking > 0 ? "warning" : "success"}
        title={`${name}: ${told}`}
      >
        {taken.lacking > 0 &&
          `${counted(taken.lacking, "piece")} of them ${taken.lacking === 1 ? "is" : "are"} not in stock: the orders say which.`}
      </Notice>
      {taken.warnings.map((warning) => (
        <Notice key={warning} tone="warning" title={warning} />
      ))}
      {taken.refused.length > 0 && (
        <SimpleTable
          caption={`${counted(taken.refused.length, "order")} could not be read`}
          rows={taken.refused}
          getKey={(row) => `${row.line} ${row.number}`}
          columns={[
            { header: "Order", cell: (row) => row.number || "–" },
            {
              header: "Why",
              grow: true,
              cell: (row) => <span className="wrap-anywhere">{row.reason}</span>,
            },
          ]}
        />
      )}
    </>
  );
}
