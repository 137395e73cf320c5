import { Plus } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { type Source, SourceField, SourceForm } from "@/features/sources/public";
import { FormDialog } from "@/shared/form/FormDialog";
import { NameField, TextareaField, TextField } from "@/shared/form/fields";
import { fits } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { priceOf, wholeOf, whyNotPrice, whyNotQuantity } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import { parseWeight, WEIGHT_HINT, weightText } from "@/shared/lib/weight";
import { saveRow } from "@/shared/table/saveRow";
import { Button } from "@/shared/ui/Button";
import type { Batch } from "./model";
import { useCreateBatch, useDeleteBatch, useEditBatch } from "./mutations";

const optional = (whyNot: (text: string) => string | null) =>
  fits((text: string) => (text.trim() === "" ? null : whyNot(text)));

const schema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, "A batch needs a name."), z.maxLength(200, "At most 200.")),
  description: z.string().check(z.trim()),
  source: z.string(),
  cost: z.string().check(optional(whyNotPrice)),
  weight: z
    .string()
    .check(
      optional((text) =>
        parseWeight(text) === undefined ? "A weight such as 250, 1.2 kg, 8 oz or 2 lb." : null,
      ),
    ),
  foreign_count: z.string().check(optional(whyNotQuantity)),
});

/** Makes a batch, `like` another or not, or edits `batch`. Mount it only while it is open. */
export function BatchForm(props: {
  batch?: Batch;
  /** What a new one takes its description and source from. */
  like?: Batch;
  onClose: () => void;
  onSaved?: (batch: Batch) => void;
  /** A new one was deleted again from its toast. */
  onTakenBack?: (batch: Batch) => void;
}) {
  const { batch, like, onClose, onSaved, onTakenBack } = props;
  const [addingSource, setAddingSource] = useState(false);
  const create = useCreateBatch();
  const edit = useEditBatch();
  const drop = useDeleteBatch();
  const form = useZodForm({
    schema,
    defaultValues: {
      name: batch?.name ?? (like ? `${like.name} (2)` : ""),
      description: (batch ?? like)?.description ?? "",
      source: String((batch ?? like)?.source_id ?? ""),
      cost: numberText(batch?.cost_total),
      weight: weightText(batch?.gross_weight),
      foreign_count: numberText(batch?.foreign_count),
    },
    onSubmit: async ({ name, description, source, cost, weight, foreign_count }) => {
      const values = {
        name,
        description,
        source_id: source === "" ? null : Number(source),
        cost_total: cost.trim() === "" ? null : priceOf(cost),
        gross_weight: parseWeight(weight) ?? null,
        foreign_count: foreign_count.trim() === "" ? null : wholeOf(foreign_count),
      };
      const saved = await saveRow("batches", batch, values, {
        edit,
        create,
        madeWord: "made",
        remove: async (made) => {
          await drop.mutateAsync({ id: made.id, typedName: "" });
          onTakenBack?.(made);
        },
      });
      onSaved?.(saved);
      onClose();
    },
  });
  const tookSource = (source: Source) => form.setValue("source", String(source.id));

  return (
    <>
      {!addingSource && (
        <FormDialog
          form={form}
          onClose={onClose}
          title={batch ? "Edit batch" : "New batch"}
          description="One purchase, or one evening of sorting."
          submitLabel={batch ? "Save" : "Make batch"}
          size="md"
        >
          <NameField form={form} placeholder="Flea market, two boxes" />
          <TextareaField form={form} name="description" label="Description" rows={2} />
          <div className="grid gap-4 sm:grid-cols-2">
            <div className="flex flex-col items-start gap-1">
              <SourceField form={form} name="source" className="w-full" />
              <Button
                size="sm"
                variant="ghost"
                icon={<Plus aria-hidden="true" className="size-3.5" />}
                onClick={() => setAddingSource(true)}
              >
                New source
              </Button>
            </div>
            <TextField
              form={form}
              name="cost"
              label="What it cost"
              numeric
              hint="With shipping and handling."
            />
            <TextField
              form={form}
              name="weight"
              label="Weight as it came"
              hint={`Such as ${WEIGHT_HINT}.`}
            />
            <TextField
              form={form}
              name="foreign_count"
              label="Not LEGO"
              numeric
              hint="Discarded as not LEGO. Leave blank if not counted."
            />
          </div>
        </FormDialog>
      )}
      {addingSource && <SourceForm onClose={() => setAddingSource(false)} onSaved={tookSource} />}
    </>
  );
}
