import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { CheckField } from "@/shared/ui/Checkbox";
import { ErrorState, Loading } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { BatchChoice } from "./adding/useBatchChoice";
import type { CatalogItem, Component, ContainingItem } from "./model";
import { useAddToBatch, useTakeBack } from "./mutations";
import { catalogQueries } from "./queries";

/** Figures that are offered; a part that is in more of them identifies none. */
const MOST = 50;

/** The minifigs that a part belongs to, each with a checklist of what is there. */
export function MinifigFinder(props: {
  item: CatalogItem;
  batches: BatchChoice;
  condition: "N" | "U";
}) {
  const { item } = props;
  const [open, setOpen] = useState<number | null>(null);
  const found = useQuery(catalogQueries.appearsIn(item.id, "MINIFIG", MOST));
  const figures = found.data?.data ?? [];
  return (
    <Card
      title="Complete minifigs"
      description={`Figures with ${item.item_number}. Enter on one adds it to the batch as one lot.`}
    >
      {found.isError ? (
        <ErrorState error={found.error} onRetry={found.refetch} />
      ) : found.isPending ? (
        <Loading />
      ) : figures.length === 0 ? (
        <p className="text-muted">No minifig that is listed here has this part.</p>
      ) : (
        <ul aria-label="Minifigs" className="flex flex-col gap-1">
          {figures.map((figure) => (
            <Figure
              key={figure.id}
              figure={figure}
              isOpen={open === figure.id}
              onToggle={() => setOpen(open === figure.id ? null : figure.id)}
              {...props}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Figure(props: {
  figure: ContainingItem;
  item: CatalogItem;
  batches: BatchChoice;
  condition: "N" | "U";
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { figure, item, batches, condition, isOpen, onToggle } = props;
  const add = useAddToBatch({ tellsFailure: true });
  const takeBack = useTakeBack();
  const { batch } = batches;
  const addFigure = () => {
    if (!batch || add.isPending) return;
    add.mutate(
      {
        batch_id: batch.id,
        item_type: "MINIFIG",
        item_number: figure.item_number,
        color_id: 0,
        qty: 1,
        condition,
      },
      {
        onSuccess: ({ id }) =>
          toast.success(`${figure.item_number} added to ${batch.name}`, {
            action: { label: "Undo", run: () => takeBack.mutate(id) },
          }),
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addFigure();
  };
  return (
    <li className="rounded-control border border-line">
      <div className="flex flex-wrap items-center gap-3 px-3 py-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 truncate text-left"
        >
          <span className="font-semibold tabular-nums">{figure.item_number}</span>{" "}
          {figure.item_name}
        </button>
        <Button
          size="sm"
          loading={add.isPending}
          disabledReason={!batch && "Choose a batch first"}
          onClick={addFigure}
        >
          Add figure
        </Button>
      </div>
      {isOpen && <Checklist figure={figure} partId={item.id} />}
    </li>
  );
}

/** Marks the parts of a figure that are on the table, and the missing ones. */
function Checklist({ figure, partId }: { figure: ContainingItem; partId: number }) {
  const contents = useQuery(catalogQueries.contents(figure.id));
  const [ticked, setTicked] = useState<ReadonlyMap<number, boolean>>(new Map());
  if (contents.isError) {
    return <ErrorState error={contents.error} onRetry={contents.refetch} />;
  }
  if (contents.isPending) return <Loading />;
  const parts = contents.data.data.filter(
    (row) => !row.is_spare && !row.is_alternate && !row.is_counterpart,
  );
  // The part from which the search began is on the table.
  const isThere = (row: Component) => ticked.get(row.id) ?? row.item_id === partId;
  const there = parts.filter(isThere).length;
  return (
    <div className="flex flex-col gap-2 border-line border-t px-3 py-2">
      <p role="status" className="text-muted text-xs">
        {there === parts.length
          ? "Complete"
          : `${formatCount(there)} of ${formatCount(parts.length)} parts are there`}
      </p>
      <ul aria-label={`Parts of ${figure.item_number}`} className="flex flex-col gap-1">
        {parts.map((row) => (
          <li key={row.id}>
            <CheckField
              value={isThere(row)}
              onChange={(checked) => setTicked((all) => new Map(all).set(row.id, checked))}
              label={`${row.quantity} × ${row.item_number} ${row.color_id ? row.color_name : ""} ${row.item_name}`}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
