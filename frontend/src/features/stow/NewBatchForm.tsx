import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { formatDate } from "@/shared/lib/format";
import { problemFields, problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { useCreateBatch } from "./batchMutations";

/** Creates the first batch where it is needed: the name is filled in, Enter creates it. */
export function NewBatchForm({ onCreated }: { onCreated: (id: number) => void }) {
  const [name, setName] = useState(() => `Sorting ${formatDate(new Date().toISOString())}`);
  const create = useCreateBatch();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "" && !create.isPending && !create.isSuccess) {
      create.mutate(name.trim(), { onSuccess: (batch) => onCreated(batch.id) });
    }
  };
  const problem =
    create.error && (problemFields(create.error).name?.join(" ") ?? problemText(create.error));
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="max-w-prose text-muted">
        What you add goes into a batch: one purchase, or one evening of sorting. Name the first one.
      </p>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Name of the batch" error={problem} className="min-w-56 flex-1">
          <Input
            autoFocus
            value={name}
            maxLength={200}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          icon={<Plus aria-hidden="true" className="size-4" />}
          loading={create.isPending}
          disabledReason={name.trim() === "" && "It needs a name"}
        >
          Make batch
        </Button>
      </div>
    </form>
  );
}
