import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryRows } from "@/shared/api/queries";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Combobox } from "@/shared/ui/Combobox";
import { Field } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import type { Batch } from "../model";
import { lots } from "./ActFrame";

/** A field that finds another batch as one types its name. */
export function BatchPicker(props: {
  label: string;
  except: number | null;
  value: Batch | null;
  onChange: (batch: Batch | null) => void;
}) {
  const { value, onChange } = props;
  const [text, setText] = useState("");
  const search = useDebounced(value ? "" : text.trim());
  const {
    data = [],
    isFetching,
    isPending,
    isPlaceholderData,
    error: failure,
    refetch,
  } = useQuery({
    ...queryRows(["batches", "pick", "last changed", search], "batches", {
      query: { page_size: 20, ordering: "-updatedAt", ...(search && { search }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Field label={props.label} required>
      <Combobox
        text={text}
        onText={(next) => {
          setText(next);
          if (value) onChange(null);
        }}
        options={data.filter(({ id }) => id !== props.except)}
        getKey={({ id }) => String(id)}
        renderOption={(batch) => (
          <span className="flex items-center justify-between gap-3">
            <span className="min-w-0 truncate">{batch.name}</span>
            <span className="text-muted text-xs tabular-nums">
              {lots(batch.batch_item_lot_count)}
            </span>
          </span>
        )}
        onPick={(batch) => {
          setText(batch.name);
          onChange(batch);
        }}
        loading={isFetching}
        isStale={search !== text.trim() || isPending || isPlaceholderData}
        mayTakeUnseen={({ name }) => name.toLowerCase() === search.toLowerCase()}
        isChosen={value !== null}
        empty={
          failure ? (
            <LoadProblem query={{ error: failure, refetch }} what="Your batches" />
          ) : (
            "No such batch."
          )
        }
        placeholder="Type a name"
        autoFocus
      />
    </Field>
  );
}
