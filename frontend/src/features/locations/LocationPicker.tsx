import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Combobox } from "@/shared/ui/Combobox";
import { Field } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { Bin, Location } from "./model";
import { useCreateLocation } from "./mutations";
import { locationQueries } from "./queries";
import { limitsOf, noLimits } from "./rules";
import { useBinScans } from "./useBinOf";

type Choice = { location: Location } | { create: string };

/**
 * A field that finds a location as one types its name, or scans its label, and makes the one
 * that is missing.
 */
export function LocationPicker(props: {
  label: string;
  hint?: string;
  error?: string | null;
  value: Bin | null;
  onChange: (location: Bin | null) => void;
  /** Hears what is typed: it names a location only once one is chosen. */
  onTyped?: (text: string) => void;
  /** Offers a name that does not exist as a new location. */
  canCreate?: boolean;
  /** One that makes no sense here: where the items are now. */
  except?: number;
  autoFocus?: boolean;
  required?: boolean;
}) {
  const { value, onChange, canCreate = false, except } = props;
  const [text, setText] = useState(value?.name ?? "");
  const [lastId, setLastId] = useState(value?.id);
  // The value changed from outside (a recommendation taken): the text follows.
  if (value && value.id !== lastId) {
    setLastId(value.id);
    setText(value.name);
  }
  const search = useDebounced(text.trim());
  const {
    data = [],
    isFetching,
    isPending,
    isPlaceholderData,
    error: failure,
    refetch,
  } = useQuery(locationQueries.pick(value ? "" : search));
  const isStale = search !== text.trim() || isPending || isPlaceholderData;
  const create = useCreateLocation({ tellsFailure: true });

  const isNamed = ({ name }: Location) => name.toLowerCase() === search.toLowerCase();
  const found: Choice[] = data
    .filter((location) => location.id !== except)
    // The one that is named as typed before those that only contain it.
    .toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
    .map((location) => ({ location }));
  const isNew =
    canCreate && !failure && search !== "" && !isStale && !isFetching && !data.some(isNamed);
  const options: Choice[] = isNew ? [...found, { create: search }] : found;

  const take = (location: Bin) => {
    setText(location.name);
    setLastId(location.id);
    onChange(location);
  };
  useBinScans((bin) => {
    if (bin.id === except) toast.error(`They are in ${bin.name} already`);
    else take(bin);
  });
  const pick = (choice: Choice) => {
    if ("location" in choice) return take(choice.location);
    create.mutate(
      {
        name: choice.create,
        description: "",
        inventory_container_type_id: null,
        exclude_from_recommendations: false,
        is_full: false,
        ...limitsOf(noLimits),
      },
      { onSuccess: take },
    );
  };

  return (
    <Field label={props.label} hint={props.hint} error={props.error} required={props.required}>
      <Combobox
        text={text}
        onText={(next) => {
          setText(next);
          props.onTyped?.(next);
          if (value) onChange(null);
        }}
        options={options}
        getKey={(choice) => ("location" in choice ? String(choice.location.id) : "create")}
        renderOption={(choice) => <ChoiceLine choice={choice} />}
        onPick={pick}
        loading={isFetching || isStale || create.isPending}
        isStale={isStale}
        mayTakeUnseen={(choice) => "location" in choice && isNamed(choice.location)}
        isChosen={value !== null}
        empty={
          failure ? (
            <LoadProblem query={{ error: failure, refetch }} what="Your bins" />
          ) : search === "" ? (
            "No bins yet. Add some on the locations page."
          ) : (
            "No such bin."
          )
        }
        placeholder="Type a name"
        autoFocus={props.autoFocus}
      />
    </Field>
  );
}

function ChoiceLine({ choice }: { choice: Choice }) {
  if ("create" in choice) {
    return (
      <span className="flex items-center gap-2 text-accent-ink">
        <Plus aria-hidden="true" className="size-4" />
        New location “{choice.create}”
      </span>
    );
  }
  const { name, item_count, available_item_count, is_full } = choice.location;
  return (
    <span className="flex items-baseline justify-between gap-3">
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {is_full ? "marked full" : roomText(item_count, available_item_count)}
      </span>
    </span>
  );
}

function roomText(held: number, room: number | null): string {
  if (room === null) return held === 0 ? "empty" : `${formatCount(held)} in it`;
  return room > 0 ? `room for ${formatCount(room)}` : "no room";
}
