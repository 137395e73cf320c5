import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { api } from "@/shared/api/client";
import type { Schema } from "@/shared/api/wire";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Dialog } from "@/shared/ui/Dialog";
import { PickList } from "@/shared/ui/PickList";
import { ErrorState, Loading, LoadProblem } from "@/shared/ui/states";
import { figuresWith } from "./figures";

/** A part of a figure. */
type Component = Schema<"ComponentRow">;

/** The most parts of one figure. */
const LINES = 100;

const partsOf = (figure: number) =>
  queryOptions({
    queryKey: ["catalog", "figureParts", figure],
    queryFn: async ({ signal }) => {
      const params = { page_size: LINES };
      const { data } = await api.get("catalogItems/{id}/contents", {
        path: { id: figure },
        query: params,
        signal,
      });
      return data.filter((each) => !each.is_spare && !each.is_alternate && !each.is_counterpart);
    },
    staleTime: 5 * 60_000,
  });

/** From one part to the figure: lists the figures that contain it, and their other parts. */
export function MinifigDialog(props: {
  part: CatalogItem;
  colorId: number | null;
  /** The figure if it is already chosen. */
  figure?: CatalogItem | undefined;
  onClose: () => void;
  onAdd: (figure: CatalogItem) => void;
}) {
  const { part, colorId, onClose, onAdd } = props;
  const [chosen, setChosen] = useState<CatalogItem | null>(props.figure ?? null);
  const [text, setText] = useState("");
  const figures = useQuery(figuresWith(part.id, colorId));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = (figures.data ?? []).filter((each) => {
    const line = `${each.item_number} ${each.item_name}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={chosen ? `${chosen.item_number} ${chosen.item_name}` : "Minifigs with this part"}
      description={
        chosen
          ? "Tick what is there; Enter takes the figure as one lot."
          : `${part.item_number} ${part.item_name}, in the colour that is chosen`
      }
      size="lg"
      footer={
        chosen ? (
          <>
            <Button onClick={() => setChosen(null)}>Another figure</Button>
            <Button variant="primary" autoFocus onClick={() => onAdd(chosen)}>
              Take the figure
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      {figures.isError ? (
        <ErrorState
          title="The figures could not be read"
          error={figures.error}
          onRetry={() => void figures.refetch()}
        />
      ) : chosen ? (
        <Checklist figure={chosen} partNumber={part.item_number} />
      ) : (
        <PickList
          label="Figure"
          placeholder="Narrow by number or name"
          text={text}
          onText={setText}
          autoFocus
          options={shown}
          getKey={(figure) => figure.id}
          renderOption={(figure) => (
            <span className="flex items-baseline gap-3">
              <span className="w-24 shrink-0 font-semibold tabular-nums">{figure.item_number}</span>
              <span className="min-w-0 flex-1 truncate">{figure.item_name}</span>
            </span>
          )}
          onPick={setChosen}
          settled={!figures.isPending}
          loading={figures.isPending}
          empty={
            figures.data?.length
              ? "No figure has these words."
              : "Your catalogue lists no figure with this part in this colour. The full catalogue has them (manage.py import_catalog)."
          }
        />
      )}
    </Dialog>
  );
}

/** The parts of the figure; the part on the card is ticked. */
function Checklist({ figure, partNumber }: { figure: CatalogItem; partNumber: string }) {
  const parts = useQuery(partsOf(figure.id));
  const [there, setThere] = useState<ReadonlySet<number>>(new Set());
  if (parts.isPending) return <Loading label="Looking up its parts…" />;
  if (parts.error) return <LoadProblem query={parts} what="Its parts" />;
  const lines = parts.data ?? [];
  const isThere = (line: Component) => there.has(line.id) || line.item_number === partNumber;
  const missing = lines.filter((line) => !isThere(line)).length;
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Parts of the figure" className="flex flex-col gap-1.5">
        {lines.map((line) => (
          <li key={line.id}>
            <Checkbox
              label={`${line.quantity} × ${line.item_number} ${line.item_name}, ${line.color_name}`}
              checked={isThere(line)}
              onChange={(checked) => {
                const next = new Set(there);
                if (checked) next.add(line.id);
                else next.delete(line.id);
                setThere(next);
              }}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-sm">
        {lines.length === 0
          ? "Its parts are not in the catalogue."
          : missing === 0
            ? "Complete."
            : `${missing} of ${lines.length} still missing.`}
      </p>
    </div>
  );
}
