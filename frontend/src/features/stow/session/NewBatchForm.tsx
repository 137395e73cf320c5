import { Plus } from "lucide-react";
import type { FormEvent } from "react";
import { problemFields, problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import type { FirstSitting } from "./useFirstSitting";

/** The first batch and, where there are none, the first bins: Enter on a part creates them, too. */
export function NewBatchForm({ first }: { first: FirstSitting }) {
  const { name, setName, drawers, setDrawers, making, error } = first;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    first.make();
  };
  const problem = error !== null && (problemFields(error).name?.join(" ") ?? problemText(error));
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="max-w-prose text-muted">
        {first.needsBins
          ? "Your first part makes this batch and these bins. Change them here, or begin."
          : "Your first part makes this batch. Rename it here, or begin."}
      </p>
      <div className="flex flex-wrap items-start gap-2">
        <InputField
          label="Name of the batch"
          error={problem}
          className="min-w-56 flex-1"
          value={name}
          maxLength={200}
          onChange={setName}
        />
        {first.needsBins && (
          <InputField
            label="Drawers"
            hint={first.binsText}
            className="w-28"
            numeric
            inputMode="numeric"
            value={drawers}
            maxLength={3}
            onChange={(text) => setDrawers(text.replace(/\D/g, ""))}
          />
        )}
        <Button
          type="submit"
          // Beside the fields, below the height of their labels.
          className="mt-[22px]"
          icon={Plus}
          loading={making}
          disabledReason={name.trim() === "" && "It needs a name"}
        >
          Make batch
        </Button>
      </div>
    </form>
  );
}
