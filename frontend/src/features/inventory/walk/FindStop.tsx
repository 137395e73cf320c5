import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { useDebounced } from "@/shared/lib/useDebounced";
import { useScanner } from "@/shared/scanner/scans";
import { PlainButton } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import {
  BinName,
  LOT_LIST,
  pictureSize,
  WalkCount,
  WalkFoot,
  WalkLot,
  WalkRows,
  WalkStop,
} from "@/shared/walk/WalkFrame";
import type { InventoryItem } from "../model";
import { type StopProps, walkQueries } from "./model";

type Place = { id: number; name: string; rows: InventoryItem[] };

/** What was found by its bins: this one first, then in their order. */
function placesOf(rows: readonly InventoryItem[], here: number): Place[] {
  const places = new Map<number, Place>();
  for (const row of rows) {
    const id = row.location_id ?? 0;
    const place = places.get(id) ?? { id, name: row.location_name ?? "No bin", rows: [] };
    place.rows.push(row);
    places.set(id, place);
  }
  return [...places.values()].toSorted((a, b) => Number(b.id === here) - Number(a.id === here));
}

const piecesOf = (rows: readonly InventoryItem[]) =>
  rows.reduce((sum, { quantity }) => sum + quantity, 0);

/** Leads to the bins that hold what is typed, one after the other; without a text, what is here. */
export function FindStop({ bin, read, goTo }: StopProps) {
  const [text, setText] = useState("");
  const [passed, setPassed] = useState<readonly number[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const typed = text.trim();
  const debounced = useDebounced(typed);
  const search = typed === "" ? "" : debounced;
  const here = useQuery(walkQueries.contents(bin.id));
  const like = useQuery(walkQueries.like(search));
  const query = search === "" ? here : like;
  const places =
    search === ""
      ? []
      : placesOf(like.data?.data ?? [], bin.id).filter(({ id }) => !passed.includes(id));
  const [place, next] = places;
  const name = place?.name ?? bin.name;
  const rows = search === "" ? (here.data?.data ?? []) : (place?.rows ?? []);
  const scan = async (code: string) => {
    const found = await read(code);
    if (found && found.id !== bin.id) goTo(found.id);
  };
  useScanner((code) => void scan(code));
  const clear = () => {
    setText("");
    setPassed([]);
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The keys of a phone go, and what was found is seen.
    field.current?.blur();
  };

  return (
    <WalkStop name={name}>
      <form onSubmit={submit} className="pb-2">
        <Field label="What do you look for?" hideLabel>
          <Input
            ref={field}
            autoFocus
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setPassed([]);
            }}
            placeholder="Number, name or colour"
            autoComplete="off"
            enterKeyHint="search"
            className="h-12! text-lg!"
          />
        </Field>
      </form>
      {(search === "" || place) && (
        <>
          <BinName>{name}</BinName>
          <p className="py-2">
            {counted(piecesOf(rows), "piece")}, {counted(rows.length, "lot")}
          </p>
        </>
      )}
      <WalkRows label={`Content of ${name}`}>
        {query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending ? (
          <Loading />
        ) : rows.length === 0 ? (
          <EmptyState
            title={
              search === ""
                ? `${bin.name} is empty`
                : passed.length > 0
                  ? "No other bin has it"
                  : "You have nothing like it"
            }
          />
        ) : (
          <ul aria-label="Lots" className={LOT_LIST}>
            {rows.map((row) => (
              <li key={row.id}>
                <WalkLot lot={row} name={row.part_name} size={pictureSize(rows.length)}>
                  <WalkCount pieces={row.quantity} />
                </WalkLot>
              </li>
            ))}
          </ul>
        )}
      </WalkRows>
      <WalkFoot
        label={search === "" ? "Find" : "Found it"}
        icon={search === "" ? <Search aria-hidden="true" className="size-5 shrink-0" /> : undefined}
        typesFirst
        onConfirm={clear}
        next={
          next && place ? (
            <PlainButton
              className="min-h-10 text-left hover:text-ink"
              onClick={() => setPassed([...passed, place.id])}
            >
              Not here, next is{" "}
              <strong className="whitespace-nowrap text-ink">
                {next.name} ({formatCount(piecesOf(next.rows))})
              </strong>
            </PlainButton>
          ) : search === "" ? (
            "A label shows its bin"
          ) : (
            place && "No other bin has it"
          )
        }
        onScan={(code) => void scan(code)}
      />
    </WalkStop>
  );
}
