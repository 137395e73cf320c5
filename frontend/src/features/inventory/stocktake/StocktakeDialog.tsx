import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type KeyboardEvent, useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Input } from "@/shared/ui/Field";
import { ColorName, ConditionTag } from "@/shared/ui/Lot";
import { EmptyState, ErrorState, Loading, Notice, ProgressBar } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useTellAct } from "../acts";
import { rowsIn } from "../rules";
import { FindLot } from "./FindLot";
import {
  type CountedRow,
  type FoundLot,
  type Stocktake,
  stocktakeQueries,
  tallyWords,
  useCount,
  useEndStocktake,
  whyNotCount,
} from "./stocktake";

/**
 * Counts what lies in a location. It may be closed and gone on with: counts are kept, and the
 * stock stays as it is until the differences are applied.
 */
export function StocktakeDialog(props: {
  location: { id: number; name?: string };
  onClose: () => void;
}) {
  const { location, onClose } = props;
  const begun = useQuery(stocktakeQueries.open(location.id));
  if (begun.data) return <Counting stocktake={begun.data} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={`Count ${location.name ?? "a location"}`} size="lg">
      {begun.error ? (
        <ErrorState error={begun.error} onRetry={() => void begun.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function Counting({ stocktake, onClose }: { stocktake: Stocktake; onClose: () => void }) {
  const { id, location_name } = stocktake;
  const rows = useQuery(stocktakeQueries.rows(id));
  const found = useQuery(stocktakeQueries.found(id));
  const tally = useQuery(stocktakeQueries.tally(id));
  const [missing, setMissing] = useState(false);
  const [note, setNote] = useState("");
  const count = useCount(id);
  const end = useEndStocktake(id);
  const tell = useTellAct();
  const told = tally.data;
  const open = told ? told.rows - told.counted : 0;
  const problem = (error: Error) => toast.error(problemText(error));

  const apply = () =>
    end.mutate(
      { discard: false, uncounted: missing ? "missing" : "keep", note: note.trim() },
      {
        onSuccess: (done) => {
          tell(
            done.act_id === null
              ? `${location_name} counted: no differences`
              : `${location_name} counted: ${told ? tallyWords(told, missing) : "done"}`,
            done.act_id,
          );
          onClose();
        },
        onError: problem,
      },
    );

  return (
    <Dialog
      open
      onClose={onClose}
      title={`Count ${location_name}`}
      description="Nothing changes until you apply it. Close it whenever you like: your counts are kept."
      size="lg"
      locked={end.isPending}
      footer={
        <>
          <div className="mr-auto">
            <DestructiveButton
              variant="ghost"
              action={{
                label: "Discard the counts",
                done: "Counts discarded",
                confirm: "What you counted here is forgotten. The stock stays as it is.",
                run: async () => {
                  await end.mutateAsync({ discard: true });
                  onClose();
                },
              }}
            />
          </div>
          <Button onClick={onClose}>Go on later</Button>
          <Button
            variant="primary"
            loading={end.isPending}
            disabledReason={(!told || count.isPending) && "Counts are on their way"}
            onClick={apply}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {told && (
          <ProgressBar label="Rows counted" done={told.counted} total={Math.max(told.rows, 1)} />
        )}
        {rows.error ? (
          <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
        ) : !rows.data ? (
          <Loading />
        ) : rows.data.data.length === 0 ? (
          <EmptyState title="Nothing is known to lie here">Add below what you found.</EmptyState>
        ) : (
          <ul aria-label="Rows to count" className="divide-y divide-line">
            {rows.data.data.map((row) => (
              <RowToCount
                key={row.id}
                row={row}
                onCount={(counted) =>
                  count.mutate([{ item_id: row.id, counted }], { onError: problem })
                }
              />
            ))}
          </ul>
        )}
        {rows.data?.pagination && rows.data.pagination.total_items > rows.data.data.length && (
          <Notice tone="info" title="Only the first 500 rows are shown">
            Split a location as large as this, or count it in parts.
          </Notice>
        )}
        <Found
          lots={found.data ?? []}
          onTakeBack={(lot) =>
            count.mutate([{ lot_id: lot.lot_id, condition: lot.condition, counted: null }], {
              onError: problem,
            })
          }
        />
        <FindLot
          onFound={(lot_id, condition, counted) =>
            count.mutate([{ lot_id, condition, counted }], { onError: problem })
          }
        />
        <div className="flex flex-col gap-3 rounded-card bg-sunken p-3">
          <p role="status" className="font-medium">
            {told ? tallyWords(told, missing) : "…"}
          </p>
          {open > 0 && (
            <Checkbox
              label={`What was not counted is missing: ${rowsIn(open)}`}
              hint="Otherwise they stay as they are."
              checked={missing}
              onChange={(event) => setMissing(event.target.checked)}
            />
          )}
          <Field label="Reason" hint="Stands in the history of each row that differs.">
            <Input value={note} onChange={(event) => setNote(event.target.value)} />
          </Field>
        </div>
      </div>
    </Dialog>
  );
}

function RowToCount(props: { row: CountedRow; onCount: (counted: number | null) => void }) {
  const { row, onCount } = props;
  const [text, setText] = useState(row.counted === null ? "" : String(row.counted));
  const problem = whyNotCount(text);
  const save = (value: string) => {
    if (whyNotCount(value)) return;
    const counted = value.trim() === "" ? null : Number(value);
    if (counted !== row.counted) onCount(counted);
  };
  const difference = row.counted === null ? null : row.counted - (row.seen ?? row.quantity);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const value = text.trim() === "" ? String(row.quantity) : text;
    setText(value);
    save(value);
    const all = [...document.querySelectorAll<HTMLInputElement>("input[data-count]")];
    all[all.indexOf(event.currentTarget) + 1]?.focus();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-full sm:basis-48">
        <span className="block truncate font-medium">{row.part_name || row.item_number}</span>
        <span className="flex items-center gap-2 text-xs">
          <span className="font-mono text-muted">{row.item_number}</span>
          <ColorName name={row.color_name} html={row.color_html} />
          <ConditionTag condition={row.condition} />
        </span>
      </span>
      <span className="w-24 text-muted text-sm tabular-nums sm:text-right">
        {formatCount(row.quantity)} known
      </span>
      <span className="w-24">
        <Input
          numeric
          data-count
          aria-label={`Counted of ${row.part_name || row.item_number} ${row.color_name}`}
          aria-invalid={problem !== null || undefined}
          title={problem ?? "Enter on an empty field: as known"}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => save(text)}
          onKeyDown={onKeyDown}
        />
      </span>
      <span
        className={clsx(
          "w-16 text-right font-semibold text-sm tabular-nums",
          difference === null || difference === 0
            ? "text-muted"
            : difference > 0
              ? "text-success"
              : "text-danger",
        )}
      >
        {difference === null ? "" : difference === 0 ? "✓" : formatSigned(difference)}
      </span>
    </li>
  );
}

const formatSigned = (count: number): string =>
  count > 0 ? `+${formatCount(count)}` : `−${formatCount(-count)}`;

function Found(props: { lots: readonly FoundLot[]; onTakeBack: (lot: FoundLot) => void }) {
  if (props.lots.length === 0) return null;
  return (
    <ul aria-label="Found here without a row" className="flex flex-col gap-1">
      {props.lots.map((lot) => (
        <li
          key={lot.id}
          className="flex items-center gap-3 rounded-control bg-success-tint px-3 py-1.5 text-sm"
        >
          <Badge tone="success">found</Badge>
          <span className="min-w-0 flex-1 truncate">
            <span className="font-mono text-xs">{lot.item_number}</span> {lot.part_name},{" "}
            {lot.color_name}
          </span>
          <ConditionTag condition={lot.condition} />
          <span className="tabular-nums">{formatCount(lot.counted)}</span>
          <Button size="sm" onClick={() => props.onTakeBack(lot)}>
            Take back
          </Button>
        </li>
      ))}
    </ul>
  );
}
