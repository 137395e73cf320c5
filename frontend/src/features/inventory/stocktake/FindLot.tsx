import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type CatalogItem, type CatalogLot, catalogQueries } from "@/features/catalog/public";
import { wholeOf, whyNotPieces } from "@/shared/lib/amounts";
import { colorWords } from "@/shared/lib/colorNames";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Button } from "@/shared/ui/Button";
import { Combobox } from "@/shared/ui/Combobox";
import { ChoiceField, Field, InputField } from "@/shared/ui/Field";
import { type Condition, conditionOptions } from "@/shared/ui/Lot";
import { LoadProblem } from "@/shared/ui/states";

const HITS = 12;

type Typed = {
  text: string;
  item: CatalogItem | null;
  chosen: CatalogLot | null;
  quantity: string;
};

const nothing: Typed = { text: "", item: null, chosen: null, quantity: "1" };

/** Adds a lot that was found here without a row: item, colour, condition, quantity. */
export function FindLot(props: {
  /** Rejects where it was refused: its fields hold it again then. */
  onFound: (lotId: number, condition: Condition, counted: number) => Promise<unknown>;
  /** Whether its fields hold what is not added. */
  onTyped: (isTyped: boolean) => void;
}) {
  const { onFound, onTyped } = props;
  const [held, setHeld] = useState(nothing);
  const [condition, setCondition] = useState<Condition>("U");
  const { text, item, chosen, quantity } = held;
  const change = (changes: Partial<Typed>) => setHeld((now) => ({ ...now, ...changes }));
  const isTyped = text.trim() !== "" || quantity !== nothing.quantity;
  useEffect(() => onTyped(isTyped), [onTyped, isTyped]);
  const typed = useDebounced(text.trim());
  const hits = useQuery(catalogQueries.search({ text: item ? "" : typed, limit: HITS }));
  const lots = useQuery({
    ...catalogQueries.lots(item?.id ?? 0, condition),
    enabled: item !== null,
  });
  // Items with only one colour, such as sets, need no choice.
  const lot = chosen ?? (item && lots.data?.length === 1 ? (lots.data[0] ?? null) : null);
  const count = wholeOf(quantity);
  const problem = whyNotPieces(quantity);

  const add = () => {
    if (!lot) return;
    setHeld(nothing);
    onFound(lot.lot_id, condition, count).catch(() =>
      setHeld((now) => (now === nothing ? held : now)),
    );
  };

  return (
    <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_10rem_7rem_7rem_auto]">
      <Field
        label="Found without a row"
        className="col-span-2 sm:col-span-1"
        hint={hits.error ? <LoadProblem query={hits} what="The catalogue" /> : undefined}
      >
        <Combobox
          text={text}
          onText={(next) => change({ text: next, item: null, chosen: null })}
          options={item || text.trim() === "" ? [] : (hits.data?.data ?? [])}
          getKey={(hit) => String(hit.id)}
          renderOption={(hit) => (
            <span className="truncate">
              <span className="font-mono text-muted text-xs">{hit.item_number}</span>{" "}
              {hit.item_name}
            </span>
          )}
          onPick={(hit) => change({ item: hit, text: `${hit.item_number} ${hit.item_name}` })}
          loading={hits.isFetching}
          isStale={!item && (typed !== text.trim() || hits.isPending || hits.isPlaceholderData)}
          isChosen={item !== null}
          empty={
            hits.error ? "The catalogue could not be asked" : "The catalogue has nothing like it"
          }
          placeholder="Number or name"
        />
      </Field>
      <ChoiceField
        label="Colour"
        hint={lots.error ? <LoadProblem query={lots} what="Its colours" /> : undefined}
        value={lot ? String(lot.lot_id) : ""}
        onChange={(value) =>
          change({ chosen: lots.data?.find(({ lot_id }) => String(lot_id) === value) ?? null })
        }
        options={[
          { value: "", label: item ? "Choose" : "–" },
          ...(lots.data ?? []).map((one) => ({
            value: String(one.lot_id),
            label: colorWords(one.color_name) || "Without a colour",
          })),
        ]}
      />
      <ChoiceField
        label="Condition"
        value={condition}
        onChange={(value) => setCondition(value === "N" ? "N" : "U")}
        options={conditionOptions}
      />
      <InputField
        label="How many"
        error={problem}
        numeric
        value={quantity}
        onChange={(next) => change({ quantity: next })}
      />
      <Button
        disabledReason={!lot ? "Choose an item and its colour" : problem}
        // Beside the fields, below the height of their labels.
        className="mt-[22px]"
        once
        onClick={add}
      >
        Add
      </Button>
    </div>
  );
}
