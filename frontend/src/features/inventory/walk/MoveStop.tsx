import { useMutation, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowRightLeft } from "lucide-react";
import { useState } from "react";
import type { Location } from "@/features/locations/public";
import { isJob } from "@/shared/api/startedJobs";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { STOCK } from "@/shared/lib/tags";
import { sendKept, useWaiting } from "@/shared/outbox/theOutbox";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { useScanner } from "@/shared/scanner/scans";
import type { ListAnswer } from "@/shared/table/column";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import {
  BinName,
  InView,
  LOT_LIST,
  pictureSize,
  WalkCount,
  WalkFoot,
  WalkLot,
  WalkRows,
  WalkStop,
} from "@/shared/walk/WalkFrame";
import { capacityOf, MOVE_TIMEOUT_MS, useTellAct } from "../acts";
import { MoveRowsDialog } from "../dialogParts";
import type { InventoryItem } from "../model";
import { rowsIn } from "../rules";
import { type StopProps, walkQueries } from "./model";

const MOVES = "moves";
type Moved = { bin: number; ids: readonly number[] | "all" };
type What = { ids: number[] } | { filter: { location: string } };

/** The content of a bin without what was carried away and is not stored yet. */
function useWithoutMoved(bin: number, page: ListAnswer<InventoryItem> | undefined) {
  const away = useWaiting(MOVES).flatMap<number | "all">(({ about }) => {
    const moved = about as Moved; // as sent below
    return moved.bin === bin ? moved.ids : [];
  });
  const all = page?.data ?? [];
  const rows = all.filter(({ id }) => !away.includes("all") && !away.includes(id));
  const total = page?.pagination?.total_items ?? all.length;
  return { rows, total: away.includes("all") ? 0 : total - (all.length - rows.length) };
}

/** Carries lots of a bin to another one. Null: it is kept, and done when the server answers. */
function useMoveHere(bin: Location) {
  return useMutation({
    meta: { stale: STOCK, tellsFailure: (error: Error) => !capacityOf(error) },
    mutationFn: ({ what, to, lots }: { what: What; to: Location; lots: number }) =>
      sendKept(
        "post",
        "inventoryItems/move",
        { body: { ...what, to: to.id } },
        {
          kind: MOVES,
          rows: [`bin ${bin.id}`, `bin ${to.id}`],
          words: `Move ${counted(lots, "lot")} from ${bin.name} to ${to.name}`,
          to: pathTo("inventory", { walk: "move", bin: bin.id }),
          stale: STOCK,
          timeoutMs: MOVE_TIMEOUT_MS,
          about: { bin: bin.id, ids: "ids" in what ? what.ids : "all" } satisfies Moved,
        },
      ),
  });
}

/**
 * One bin that something is taken from. The scan of another label carries there what is chosen:
 * all, until something is. When that is done, the next label is the next bin.
 */
export function MoveStop({ bin, read, goTo }: StopProps) {
  const query = useQuery(walkQueries.contents(bin.id));
  const { rows, total } = useWithoutMoved(bin.id, query.data);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [hasMoved, setMoved] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [asks, setAsks] = useState(false);
  const move = useMoveHere(bin);
  const tell = useTellAct();
  const picked = rows.filter(({ id }) => chosen.has(id));
  const isSome = picked.length > 0;
  const lots = isSome ? picked.length : total;
  const pieces = isSome ? picked.reduce((sum, row) => sum + row.quantity, 0) : bin.item_count;
  const what = isSome
    ? { ids: picked.map(({ id }) => id) }
    : { filter: { location: String(bin.id) } };
  const moved = () => {
    setMoved(true);
    setChosen(new Set());
  };
  const carry = (to: Location) => {
    setRefused(null);
    move.mutate(
      { what, to, lots },
      {
        onSuccess: (answer) => {
          if (answer && !isJob(answer)) tell(`${rowsIn(lots)} moved to ${to.name}`, answer.act_id);
          moved();
        },
        onError: (error) => setRefused(capacityOf(error)?.message ?? null),
      },
    );
  };
  const scan = async (text: string) => {
    if (move.isPending) return;
    const to = await read(text);
    if (!to || to.id === bin.id) return;
    if (lots === 0 || (hasMoved && !isSome)) goTo(to.id);
    else carry(to);
  };
  useScanner((code) => void scan(code));
  const toggle = (id: number) =>
    setChosen((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));

  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <Loading />;
  if (total === 0) {
    return (
      <EmptyState
        title={`${bin.name} is empty`}
        actions={<ScanButton label="Scan the next bin" keepOpen />}
      >
        Scan the label of the next bin that you take something from.
      </EmptyState>
    );
  }
  return (
    <WalkStop name={bin.name}>
      <BinName>{bin.name}</BinName>
      {refused && (
        <InView of={refused}>
          <Notice tone="warning" title="It does not fit">
            {refused} Scan another bin, or press the button to move it with a reason.
          </Notice>
        </InView>
      )}
      <p className="flex justify-between gap-2 py-2">
        <span>
          {counted(pieces, "piece")}, {counted(lots, "lot")}
        </span>
        <span className="text-muted text-sm">
          {isSome ? "Scan where they go" : "Tap the lots to move, or move all"}
        </span>
      </p>
      <WalkRows label={`Content of ${bin.name}`}>
        <ul aria-label="Lots" className={LOT_LIST}>
          {rows.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                aria-pressed={chosen.has(row.id)}
                onClick={() => toggle(row.id)}
                className={clsx("block w-full", chosen.has(row.id) && "bg-accent-tint")}
              >
                <WalkLot lot={row} name={row.part_name} size={pictureSize(rows.length)}>
                  <WalkCount pieces={row.quantity} />
                </WalkLot>
              </button>
            </li>
          ))}
        </ul>
        {total > rows.length && (
          <p className="p-2 text-muted text-sm">
            and {counted(total - rows.length, "lot")} more, which only “all” takes
          </p>
        )}
      </WalkRows>
      <WalkFoot
        label={
          isSome
            ? `Move ${counted(lots, "lot")} to…`
            : pieces === 1
              ? "Move it to…"
              : `Move all ${formatCount(pieces)} to…`
        }
        icon={<ArrowRightLeft aria-hidden="true" className="size-5 shrink-0" />}
        loading={move.isPending}
        onConfirm={() => setAsks(true)}
        next={hasMoved && !isSome ? "The next label is the next bin" : "Scan the bin to move to"}
        onScan={(text) => void scan(text)}
      />
      {asks && (
        <MoveRowsDialog rows={what} count={lots} onClose={() => setAsks(false)} onMoved={moved} />
      )}
    </WalkStop>
  );
}
