import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { counted, formatAgo, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Badge } from "@/shared/ui/Badge";
import { Dialog } from "@/shared/ui/Dialog";
import { PickList } from "@/shared/ui/PickList";
import { Notice } from "@/shared/ui/states";
import type { BatchHead } from "../model";
import { batchPickQueries } from "./queries";
import { useCreateBatch } from "./useBatchChoice";

type Choice = { batch: BatchHead } | { create: string };

/** Chooses the batch to add to, or creates one from a new name. */
export function BatchDialog(props: {
  current: number | null;
  onClose: () => void;
  onChoose: (id: number) => void;
}) {
  const { current, onClose, onChoose } = props;
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const { data = [], isFetching, error } = useQuery(batchPickQueries.pick(search));
  const create = useCreateBatch();

  const typed = text.trim();
  const settled = typed === search && !isFetching;
  const isNew =
    typed !== "" &&
    settled &&
    !error &&
    !data.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const found: Choice[] = data.map((batch) => ({ batch }));
  const pick = (choice: Choice) => {
    if ("batch" in choice) return onChoose(choice.batch.id);
    if (create.isPending || create.isSuccess) return;
    create.mutate(choice.create, { onSuccess: (batch) => onChoose(batch.id) });
  };
  const problem = error ?? create.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Which batch?"
      description="One purchase, or one evening of sorting."
    >
      <div className="flex flex-col gap-3">
        {problem && <Notice tone="danger">{problemText(problem)}</Notice>}
        <PickList
          label="Find or name a batch"
          placeholder="Type a name; a new one is made"
          autoFocus
          text={text}
          onText={setText}
          options={isNew ? [...found, { create: typed }] : found}
          getKey={(choice) => ("batch" in choice ? choice.batch.id : "create")}
          renderOption={(choice) => <ChoiceLine choice={choice} current={current} />}
          onPick={pick}
          settled={settled}
          loading={isFetching || create.isPending}
          empty={error ? null : "No batch yet. Type a name to make the first one."}
        />
      </div>
    </Dialog>
  );
}

function ChoiceLine({ choice, current }: { choice: Choice; current: number | null }) {
  if ("create" in choice) {
    return (
      <span className="flex items-center gap-2 text-accent-ink">
        <Plus aria-hidden="true" className="size-4" />
        New batch “{choice.create}”
      </span>
    );
  }
  const { id, name, batch_item_item_count, batch_item_lot_count, createdAt } = choice.batch;
  return (
    <span className="flex items-center gap-3">
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      {id === current && <Badge tone="accent">now</Badge>}
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {formatCount(batch_item_lot_count)} {batch_item_lot_count === 1 ? "lot" : "lots"},{" "}
        {counted(batch_item_item_count, "piece")} · {formatAgo(createdAt, Date.now())}
      </span>
    </span>
  );
}
