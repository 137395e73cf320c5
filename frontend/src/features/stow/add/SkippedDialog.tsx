import { useQuery } from "@tanstack/react-query";
import type { BatchHead } from "@/features/catalog/public";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { EmptyState, ErrorState, Loading } from "@/shared/ui/states";
import type { BatchItem } from "../model";
import { skippedQuery } from "./skipped";

/** The skipped pieces with their photos; choosing one looks it up again. */
export function SkippedDialog(props: {
  batch: BatchHead;
  onClose: () => void;
  onSettle: (item: BatchItem) => void;
}) {
  const { batch, onClose, onSettle } = props;
  const { data, error, refetch } = useQuery(skippedQuery(batch.id));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Skipped pieces"
      description={`In ${batch.name}. Look one up again, or type what it is.`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Loading label="Skipped pieces…" />
      ) : data.length === 0 ? (
        <EmptyState title="Nothing was skipped">
          X skips the piece under the camera and keeps its photo.
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {data.map((item, index) => (
            <li key={item.id} className="flex flex-col gap-2">
              <img
                src={item.image_url}
                alt={`Skipped piece ${index + 1}`}
                className="aspect-square w-full rounded-control border border-line object-cover"
              />
              <Button size="sm" onClick={() => onSettle(item)}>
                Say what it is
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
