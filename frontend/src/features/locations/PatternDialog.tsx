import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { problemFields, problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { ContainerTypeField } from "./ContainerTypeField";
import type { LabelChoice } from "./labels";
import { useCreateByPattern, useDeleteLocations } from "./mutations";
import { containerTypeQueries, locationQueries, type PatternPreview } from "./queries";
import { saveLabelsAtOnce } from "./saveLabels";

/** So many names are drawn; the rest is counted. */
const SHOWN = 120;

/** Makes many locations from one pattern, and shows beforehand which ones. */
export function PatternDialog(props: {
  pattern?: string;
  onClose: () => void;
  /** Opens the dialog of papers for labels that were saved at once. */
  onPaper: (choice: LabelChoice) => void;
}) {
  const { onClose, onPaper } = props;
  const client = useQueryClient();
  const [labels, setLabels] = useState(false);
  const [pattern, setPattern] = useState(props.pattern ?? "A-[1-8]-[01-24]");
  const [type, setType] = useState("");
  const types = useQuery(containerTypeQueries.list());
  const request = {
    pattern: useDebounced(pattern.trim()),
    inventory_container_type_id: type === "" ? null : Number(type),
  };
  const preview = useQuery(locationQueries.pattern(request));
  const create = useCreateByPattern();
  const remove = useDeleteLocations();

  const settled = request.pattern === pattern.trim() && !preview.isPlaceholderData;
  const problem = preview.error
    ? (problemFields(preview.error).pattern?.join(" ") ?? problemText(preview.error))
    : null;
  const count = settled && !preview.error ? (preview.data?.count ?? null) : null;

  const submit = (withLabels = false) => {
    setLabels(withLabels);
    create.mutate(request, {
      onSuccess: async ({ ids }) => {
        onClose();
        const choice = { ids, count: ids.length };
        if (withLabels) void saveLabelsAtOnce(client, choice, () => onPaper(choice));
        const { tellMade } = await import("@/shared/table/editing/tellMade");
        await tellMade({
          table: "locations",
          words: `${counted(ids.length, "location")} added`,
          remove: () => remove.mutateAsync(ids),
        });
      },
    });
  };

  return (
    <Dialog
      onClose={onClose}
      title="Add locations by pattern"
      description="Groups in square brackets are expanded: ranges such as 01-24 or A-F, values such as 1,3,5."
      size="lg"
      locked={create.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            loading={create.isPending && labels}
            disabledReason={whyNotCreate(count, problem)}
            onClick={() => submit(true)}
          >
            Add and save labels
          </Button>
          <Button
            variant="primary"
            loading={create.isPending && !labels}
            disabledReason={whyNotCreate(count, problem)}
            onClick={() => submit()}
          >
            {count ? `Add ${counted(count, "location")}` : "Add locations"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!whyNotCreate(count, problem)) submit();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Pattern"
            required
            error={create.error ? problemText(create.error) : problem}
            hint="A-[1-8]-[01-24] is 192 drawers: eight columns of 24."
          >
            <Input
              autoFocus
              value={pattern}
              onChange={(event) => setPattern(event.target.value)}
              className="font-mono"
            />
          </Field>
          <ContainerTypeField
            query={types}
            hint="Each new bin gets its limits."
            value={type}
            onChange={(event) => setType(event.target.value)}
            first={[{ value: "", label: "None" }]}
          />
        </div>
        {!problem && preview.data && <Preview preview={preview.data} stale={!settled} />}
      </form>
    </Dialog>
  );
}

function whyNotCreate(count: number | null, problem: string | null): string | null {
  if (problem) return problem;
  if (count === null) return "The preview is on its way";
  return count === 0 ? "All of these exist already" : null;
}

function Preview({ preview, stale }: { preview: PatternPreview; stale: boolean }) {
  const { count, names, existing_count } = preview;
  const shown = names.slice(0, SHOWN);
  return (
    <section
      aria-label="Preview"
      aria-busy={stale}
      className={stale ? "opacity-60 transition-opacity" : undefined}
    >
      <p role="status" className="mb-2 flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={count ? "accent" : "neutral"}>{formatCount(count)} new</Badge>
        {existing_count > 0 && (
          <Badge>{formatCount(existing_count)} exist already and stay as they are</Badge>
        )}
      </p>
      <ul className="flex max-h-60 flex-wrap gap-1.5 overflow-y-auto rounded-control bg-sunken p-2">
        {shown.map((name) => (
          <li
            key={name}
            className="rounded border border-line bg-surface px-1.5 py-0.5 font-mono text-xs"
          >
            {name}
          </li>
        ))}
        {count > shown.length && (
          <li className="px-1.5 py-0.5 text-muted text-xs">
            and {formatCount(count - shown.length)} more
          </li>
        )}
        {count === 0 && <li className="px-1.5 text-muted text-xs">Nothing new.</li>}
      </ul>
    </section>
  );
}
