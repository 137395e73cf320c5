import { useQuery } from "@tanstack/react-query";
import { Box, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { NameField, SelectField } from "@/shared/form/fields";
import { fits, fitsTogether } from "@/shared/form/fits";
import { useZodForm } from "@/shared/form/useZodForm";
import { counted, formatWeight } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import { CaseTwins } from "@/shared/ui/CaseTwins";
import { DeleteDialog, useDeletion } from "@/shared/ui/DeleteDialog";
import { Dialog } from "@/shared/ui/Dialog";
import type { Option } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { LimitFields, limitShape } from "./LimitFields";
import { type ContainerType, type Limits, SIZE_CLASSES, sizeName } from "./model";
import {
  type ContainerTypeValues,
  useDeleteContainerType,
  useMergeContainerType,
  useSaveContainerType,
} from "./mutations";
import { containerTypeQueries, locationQueries } from "./queries";
import { type LimitTexts, limitsOf, noLimits, textsOf, whyNotRange } from "./rules";

/** The kinds of boxes a person has, with the limits that new locations of them begin with. */
export function ContainerTypesDialog({ onClose }: { onClose: () => void }) {
  const types = useQuery(containerTypeQueries.list());
  const papers = useSideQuery(locationQueries.labelLayouts(), "the label sizes");
  const twins = useSideQuery(containerTypeQueries.twins(), "names that differ only in capitals");
  const merge = useMergeContainerType();
  const [edited, setEdited] = useState<ContainerType | "new" | null>(null);
  const [doomed, setDoomed] = useState<ContainerType | null>(null);

  return (
    <Dialog
      onClose={onClose}
      title="Container types"
      description="Enter the limits of a drawer or box once. New locations of the type begin with them; locations that exist keep theirs."
      size="md"
      footer={
        edited === null && (
          <Button icon={Plus} variant="primary" onClick={() => setEdited("new")}>
            New container type
          </Button>
        )
      }
    >
      {edited !== null ? (
        <TypeForm
          type={edited === "new" ? undefined : edited}
          onDone={() => setEdited(null)}
          key={edited === "new" ? "new" : edited.id}
        />
      ) : types.error ? (
        <ErrorState error={types.error} onRetry={() => void types.refetch()} />
      ) : !types.data ? (
        <Loading />
      ) : types.data.length === 0 ? (
        <EmptyState icon={Box} title="No container types yet">
          A small drawer that takes 100 pieces, a shoe box up to 4 kg: name it, and give it limits.
        </EmptyState>
      ) : (
        <>
          {twins && twins.length > 0 && (
            <CaseTwins
              groups={twins}
              effect={(_, into) => `Its locations become ${into.name}, and keep their limits.`}
              merge={merge}
            />
          )}
          <ul className="divide-y divide-line">
            {types.data.map((type) => (
              <li key={type.id} className="flex items-center gap-3 py-2">
                <div className="min-w-0 flex-1">
                  <p className="truncate font-medium">{type.name}</p>
                  <p className="text-muted text-xs">
                    {[
                      type.size_class && sizeName(type.size_class),
                      limitWords(type),
                      papers?.find(({ id }) => id === type.label_size)?.name,
                      type.location_count !== undefined && counted(type.location_count, "location"),
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </p>
                </div>
                <IconButton
                  label={`Edit ${type.name}`}
                  icon={Pencil}
                  onClick={() => setEdited(type)}
                />
                <IconButton
                  label={`Delete ${type.name}`}
                  icon={Trash2}
                  onClick={() => setDoomed(type)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {doomed && <DeleteType type={doomed} onClose={() => setDoomed(null)} />}
    </Dialog>
  );
}

/** The limits on one line: "100 pieces, up to 2 kg". */
export function limitWords(limits: Limits): string {
  const words = [
    limits.max_item_count !== null && counted(limits.max_item_count, "piece"),
    limits.max_total_weight !== null && `up to ${formatWeight(limits.max_total_weight)}`,
    limits.min_item_weight !== null && `pieces from ${formatWeight(limits.min_item_weight)}`,
    limits.max_item_weight !== null && `pieces up to ${formatWeight(limits.max_item_weight)}`,
  ].filter(Boolean);
  return words.length ? words.join(", ") : "No limits";
}

const schema = z
  .object({
    name: z.string().check(
      z.trim(),
      fits((name: string) =>
        name === ""
          ? "A container type needs a name."
          : name.length > 100
            ? "At most 100 characters."
            : null,
      ),
    ),
    size_class: z.enum(["small", "medium", "large", ""]),
    label_size: z.string(),
    ...limitShape,
  })
  .check(
    fitsTogether<LimitTexts>("min_item_weight", (values) =>
      whyNotRange(values.min_item_weight, values.max_item_weight),
    ),
  );

const sizeOptions = [
  { value: "", label: "Not set" },
  ...SIZE_CLASSES.map(({ value, label, means }) => ({ value, label: `${label}: ${means}` })),
];

function TypeForm({ type, onDone }: { type?: ContainerType; onDone: () => void }) {
  const save = useSaveContainerType();
  const papers = useSideQuery(locationQueries.labelLayouts(), "the label sizes") ?? [];
  const paperOptions: Option[] = papers.map(({ id, name }) => ({ value: id, label: name }));
  // Without an option of its own, what is kept would be lost by saving.
  const isUnlisted = type?.label_size && !papers.some(({ id }) => id === type.label_size);
  if (isUnlisted) paperOptions.push({ value: type.label_size, label: type.label_size });
  const form = useZodForm({
    schema,
    defaultValues: {
      name: type?.name ?? "",
      size_class: type?.size_class ?? "",
      label_size: type?.label_size ?? "",
      ...(type ? textsOf(type) : noLimits),
    },
    onSubmit: async ({ name, size_class, label_size, ...limits }) => {
      const values = {
        name,
        size_class,
        label_size: label_size as ContainerTypeValues["label_size"], // one of the options
        ...limitsOf(limits),
      };
      await save.mutateAsync({ type, values });
      toast.success(`${name} saved`);
      onDone();
    },
  });
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-col gap-4">
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <NameField form={form} placeholder="Small drawer" />
      <LimitFields form={form} />
      <SelectField
        form={form}
        name="size_class"
        label="Size"
        options={sizeOptions}
        hint="Decides whether recommendations put several colours of an item into one bin."
      />
      <SelectField
        form={form}
        name="label_size"
        label="Label size"
        options={[{ value: "", label: "The one used last" }, ...paperOptions]}
        hint="The paper for labels of its locations, unless another is chosen."
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Back</Button>
        <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
          {type ? "Save" : "Add container type"}
        </Button>
      </div>
    </form>
  );
}

function DeleteType({ type, onClose }: { type: ContainerType; onClose: () => void }) {
  const remove = useDeleteContainerType({ tellsFailure: true });
  const deletion = useDeletion(remove, {
    name: type.name,
    asked: type.id,
    onClose,
    onRefused: onClose,
  });
  return (
    <DeleteDialog deletion={deletion} kind="container type">
      Locations of this type stay, with the limits they have now.
    </DeleteDialog>
  );
}
