import { useQuery } from "@tanstack/react-query";
import { type CatalogItem, catalogQueries } from "@/features/catalog/public";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Button, PlainButton } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ErrorState, Loading } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { Unknown } from "./model";

const HITS = 12;

/** Any item of the catalogue for an unknown number; it begins with the name of the file. */
export function FindItem(props: {
  unknown: Unknown;
  onFound: (item: CatalogItem) => void;
  onClose: () => void;
}) {
  const { unknown, onFound, onClose } = props;
  const text = useControl(unknown.part_name || unknown.item_number);
  const typed = useDebounced(text.value.trim());
  const hits = useQuery(catalogQueries.search({ text: typed, limit: HITS }));
  const found = typed ? (hits.data?.data ?? []) : [];
  return (
    <Dialog
      onClose={onClose}
      title={`What is ${unknown.item_number || "it"}?`}
      description="All its lots become what you choose."
      size="lg"
      footer={<Button onClick={onClose}>Cancel</Button>}
    >
      <InputField label="Number or name" {...text} />
      <div className="mt-3 min-h-64">
        {hits.error ? (
          <ErrorState error={hits.error} onRetry={() => void hits.refetch()} />
        ) : hits.isFetching && found.length === 0 ? (
          <Loading />
        ) : found.length === 0 ? (
          <p className="p-4 text-muted text-sm">The catalogue has nothing like it.</p>
        ) : (
          <ul className="divide-y divide-line">
            {found.map((item) => (
              <li key={item.id}>
                <PlainButton
                  onClick={() => onFound(item)}
                  className="flex w-full items-center gap-3 px-2 py-1.5 text-left hover:bg-hover"
                >
                  <ItemImage src={item.image_url} type={item.item_type} name={item.item_name} />
                  <span className="min-w-0">
                    <span className="block font-mono text-xs">{item.item_number}</span>
                    <span className="block truncate text-sm">{item.item_name}</span>
                  </span>
                </PlainButton>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
