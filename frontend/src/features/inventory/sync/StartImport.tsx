import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { PullStore } from "@/features/marketplace/public";
import { isRefusedFile } from "@/shared/api/errors";
import { problemFields, problemText } from "@/shared/lib/problem";
import { handing } from "@/shared/lib/useHandedFile";
import { useRefusedUpload } from "@/shared/outbox/useRefusedUpload";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { FileDrop } from "@/shared/ui/FileDrop";
import { Notice, ProgressBar } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { pageOfRefused, runningSyncOf, useStartSync } from "./mutations";

/** Chooses the file and sends it; a file that is dropped on the page comes in here at once. */
export function StartImport(props: {
  file?: File;
  /** Of a file that a reload cut off and that was refused then. */
  refusedKey?: string;
  onStarted: (syncId: number) => void;
  onClose: () => void;
}) {
  const { onStarted } = props;
  const navigate = useNavigate();
  const { refused, forget } = useRefusedUpload(props.refusedKey);
  const onClose = () => {
    forget();
    props.onClose();
  };
  const [sent, setSent] = useState<{ done: number; total: number } | null>(null);
  const start = useStartSync((done, total) => setSent({ done, total }));

  const error = start.error ?? (start.isIdle ? refused?.error : null);
  const elsewhere = pageOfRefused(error);
  const last = start.variables ?? refused?.file;
  const send = (file: File) => {
    forget();
    start.mutate(file, {
      onSuccess: (sync) => (sync ? onStarted(sync.id) : onClose()),
      onError: (error) => {
        setSent(null);
        const running = runningSyncOf(error);
        if (running !== null) {
          toast.info(problemText(error));
          onStarted(running);
        }
      },
    });
  };
  // A dropped file needs no further click. Once, also where effects run twice.
  const dropped = useRef(props.file);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file that came with the dialog
  useEffect(() => {
    const file = dropped.current;
    dropped.current = undefined;
    if (file) send(file);
  }, []);

  return (
    <Dialog
      onClose={onClose}
      title="Import a file into your stock"
      description="You see everything before anything changes."
      size="md"
      locked={start.isPending}
      footer={
        <Button onClick={onClose} disabledReason={start.isPending && "The file is on its way"}>
          Cancel
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {error && (
          <Notice
            tone="danger"
            title="The file was rejected"
            actions={
              last &&
              (elsewhere ? (
                <Button
                  size="sm"
                  onClick={() => {
                    forget();
                    void navigate(elsewhere.to, handing(last));
                  }}
                >
                  {elsewhere.label}
                </Button>
              ) : (
                !isRefusedFile(error) && (
                  <Button size="sm" onClick={() => send(last)}>
                    {`Send ${last.name} again`}
                  </Button>
                )
              ))
            }
          >
            {problemFields(error).file?.join(" ") ?? problemText(error)}
          </Notice>
        )}
        {start.isPending ? (
          <ProgressBar
            label={sent && sent.done < sent.total ? "Uploading" : "Checking the file"}
            done={sent?.done ?? 0}
            total={sent && sent.done < sent.total ? sent.total : null}
          />
        ) : (
          <>
            <FileDrop
              label="Drop a file of your store here, or choose it"
              hint="BSX, BrickLink XML, CSV, TSV, XLSX or ODS; up to 64 MB"
              onFile={send}
            />
            <p className="text-muted text-xs">
              A BSX file, or BrickLink's list of your store, counts as the whole store: what it
              lacks is set to 0. Tables and lists change only what they name.
            </p>
            <PullStore onStarted={onClose} />
          </>
        )}
      </div>
    </Dialog>
  );
}
