import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { PlainButton } from "@/shared/ui/Button";
import { ErrorState, Loading } from "@/shared/ui/states";
import { fitOf, type Pieces, type Room } from "./binFit";
import type { Bin } from "./model";
import { locationQueries } from "./queries";
import { shelvesOf } from "./shelfMap";

/** All bins by shelf and row, each with its free room. */
export function BinTree(props: { pieces: Pieces; onChoose: (bin: Bin) => void }) {
  const { pieces, onChoose } = props;
  const { data, error, refetch } = useQuery(locationQueries.map({ ordering: "name" }));
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <Loading label="Bins…" />;
  const shelves = shelvesOf(data);
  return (
    <ul aria-label="Bins by shelf" className="-mx-1 flex max-h-72 flex-col overflow-y-auto px-1">
      {shelves.flatMap(({ title, rows }) =>
        rows.map(({ label, cells }) => {
          const name = [title, label].filter(Boolean).join("-");
          return (
            <li key={name}>
              <Branch name={name || "Others"} cells={cells} pieces={pieces}>
                {(cell) => <Leaf cell={cell} pieces={pieces} onChoose={onChoose} />}
              </Branch>
            </li>
          );
        }),
      )}
    </ul>
  );
}

/** A row of bins, closed at first: its bins are rendered when it is opened. */
function Branch(props: {
  name: string;
  cells: readonly Room[];
  pieces: Pieces;
  children: (cell: Room) => ReactNode;
}) {
  const { name, cells, pieces, children } = props;
  const [open, setOpen] = useState(false);
  const taking = cells.filter((cell) => fitOf(cell, pieces).fits).length;
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 rounded-control px-2 py-2 text-left hover:bg-hover pointer-coarse:py-3"
      >
        <ChevronRight
          aria-hidden="true"
          className={clsx("size-4 shrink-0 text-muted transition-transform", open && "rotate-90")}
        />
        <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
        <span className="shrink-0 text-muted text-xs tabular-nums">
          {formatCount(taking)} of {formatCount(cells.length)} take it
        </span>
      </button>
      {open && (
        <ul className="mb-1 ml-4 flex flex-col border-line border-l pl-2">
          {cells.map((cell) => (
            <li key={cell.id}>{children(cell)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Leaf(props: { cell: Room; pieces: Pieces; onChoose: (bin: Bin) => void }) {
  const { cell, pieces, onChoose } = props;
  const { closed } = fitOf(cell, pieces);
  return (
    <PlainButton
      aria-disabled={closed || undefined}
      onClick={() => !closed && onChoose({ id: cell.id, name: cell.name })}
      className={clsx(
        "flex w-full items-baseline gap-3 rounded-control px-2 py-1.5 text-left pointer-coarse:py-2.5",
        closed ? "cursor-not-allowed opacity-55" : "hover:bg-hover",
      )}
    >
      <BinFit room={cell} pieces={pieces} />
    </PlainButton>
  );
}

/** A bin's name, and whether it has room for the pieces. */
export function BinFit({ room, pieces }: { room: Room; pieces: Pieces }) {
  const { fits, text } = fitOf(room, pieces);
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-semibold">{room.name}</span>
      <span className={clsx("shrink-0 text-xs tabular-nums", fits ? "text-muted" : "text-warning")}>
        {text}
      </span>
    </>
  );
}
