import { type FormEvent, useId, useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import type { Row } from "./session";

/** Asks why a bin takes more than its limits; the ledger keeps the answer. */
export function OverrideDialog(props: {
  row: Row;
  onClose: () => void;
  onOverride: (reason: string) => void;
  onOtherBin: () => void;
}) {
  const { row, onClose, onOverride, onOtherBin } = props;
  const id = useId();
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() !== "") onOverride(reason.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`More than ${row.bin?.name ?? "the bin"} takes`}
      size="sm"
      footer={
        <>
          <Button onClick={onOtherBin}>Other bin</Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            disabledReason={reason.trim() === "" && "Say why: the ledger keeps it"}
          >
            Stow anyway
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="flex flex-col gap-4">
        <Notice tone="warning">{row.problem?.text}</Notice>
        <Field label="Why it goes in all the same" required hint="The ledger keeps your reason.">
          <Input
            autoFocus
            value={reason}
            maxLength={500}
            placeholder="Pressed down, they fit"
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  );
}
