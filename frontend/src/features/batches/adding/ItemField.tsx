import { useQuery } from "@tanstack/react-query";
import { type CatalogItem, catalogQueries } from "@/features/catalog/public";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Combobox } from "@/shared/ui/Combobox";
import { Field } from "@/shared/ui/Field";
import { ItemTypeTag } from "@/shared/ui/Lot";

const HITS = 12;

/** Finds an item of the catalogue by number or name. */
export function ItemField(props: {
  text: string;
  item: CatalogItem | null;
  error?: string;
  onText: (text: string) => void;
  onPick: (item: CatalogItem) => void;
}) {
  const { text, item } = props;
  const typed = text.trim();
  const search = useDebounced(typed);
  const hits = useQuery(catalogQueries.search({ text: item ? "" : search, limit: HITS }));
  const isStale = search !== typed || hits.isPending || hits.isPlaceholderData;
  return (
    <Field label="Item" error={props.error} required>
      <Combobox
        text={text}
        onText={props.onText}
        options={item || typed === "" ? [] : (hits.data?.data ?? [])}
        getKey={({ id }) => String(id)}
        renderOption={(hit) => (
          <span className="flex items-center gap-2">
            <ItemTypeTag type={hit.item_type} short />
            <span className="font-mono text-muted text-xs">{hit.item_number}</span>
            <span className="min-w-0 truncate">{hit.item_name}</span>
          </span>
        )}
        onPick={props.onPick}
        loading={!item && typed !== "" && (hits.isFetching || isStale)}
        isStale={!item && isStale}
        isChosen={item !== null}
        empty={hits.error ? "The catalogue does not answer." : "The catalogue has nothing like it."}
        placeholder="Number or name"
        autoFocus
      />
    </Field>
  );
}
