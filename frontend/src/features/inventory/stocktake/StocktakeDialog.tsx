import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useEffect, useState } from "react";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import { useStable } from "@/shared/lib/useStable";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Dialog } from "@/shared/ui/Dialog";
import { Input, InputField } from "@/shared/ui/Field";
import { ColorName, ConditionTag, LotName, lotNameOf } from "@/shared/ui/Lot";
import {
  EmptyState,
  ErrorState,
  Loaded,
  Loading,
  LoadProblem,
  Notice,
  ProgressBar,
} from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { useTellAct } from "../acts";
import { rowsIn } from "../rules";
import { FindLot } from "./FindLot";
import {
  type FoundLot,
  type Stocktake,
  stocktakeQueries,
  tallyWords,
  useBeginStocktake,
  useCountedRows,
  useCounting,
} from "./stocktake";
import { type CountFieldProps, differenceText, useCountField } from "./useCountField";

/**
 * Counts the contents of a location. It can be closed and continued later: counts are kept, and the
 * stock does not change until the differences are applied.
 */
export function StocktakeDialog(props: {
  location: { id: number; name?: string };
  onClose: () => void;
}) {
  const { location, onClose } = props;
  const begun = useBeginStocktake();
  const { mutate: begin } = begun;
  useEffect(() => begin(location.id), [begin, location.id]);
  if (begun.data) return <Counting stocktake={begun.data} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={`Count ${location.name ?? "a bin"}`} size="lg">
      {begun.error ? (
        <ErrorState error={begun.error} onRetry={() => begin(location.id)} />
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
  const missing = useControl(false);
  const note = useControl("");
  /** Rows whose field holds what is no count, or one that was refused. */
  const [wrong, setWrong] = useState<ReadonlySet<number>>(new Set());
  const noteWrong = useStable((row: number, isWrong: boolean) => {
    const others = [...wrong].filter((one) => one !== row);
    setWrong(new Set(isWrong ? [...others, row] : others));
  });
  const [isFinding, setIsFinding] = useState(false);
  const { count, apply, discard } = useCounting(stocktake);
  const shown = useCountedRows(id, rows.data?.data ?? []);
  const tell = useTellAct();
  const told = tally.data;
  const open = told ? told.rows - told.counted : 0;
  const finish = () =>
    apply.mutate(
      { missing: missing.value, note: note.value.trim() },
      {
        onSuccess: ({ act_id, words }) => {
          tell(`${location_name} counted: ${words}`, act_id);
          onClose();
        },
      },
    );

  return (
    <ActDialog
      onClose={onClose}
      title={`Count ${location_name}`}
      description="Nothing changes until you apply it. Close it whenever you like: your counts are kept."
      size="lg"
      // Each count is kept as it is typed.
      holdsInput={wrong.size > 0 || isFinding || note.value.trim() !== ""}
      footerStart={
        <DestructiveButton
          variant="ghost"
          action={{
            label: "Discard the counts",
            done: "Counts discarded",
            confirm: "Your counts here are discarded. The stock does not change.",
            run: async () => {
              await discard.mutateAsync();
              onClose();
            },
          }}
        />
      }
      act="Apply"
      closeLabel="Go on later"
      pending={apply.isPending}
      why={
        (wrong.size > 0 && "A count is not saved: correct it first") ||
        (isFinding && "Add what you found first, or clear its fields") ||
        (!told && (tally.error ? "The sums could not be loaded" : "Still loading"))
      }
      onAct={finish}
    >
      <div className="flex flex-col gap-4">
        {told && (
          <ProgressBar label="Rows counted" done={told.counted} total={Math.max(told.rows, 1)} />
        )}
        <Loaded
          query={rows}
          empty={
            <EmptyState title="No lots are recorded here">Add below what you found.</EmptyState>
          }
        >
          {() => (
            <ul aria-label="Rows to count" className="divide-y divide-line">
              {shown.map((row) => (
                <RowToCount
                  key={row.id}
                  row={row}
                  onCount={(counted) => count.mutateAsync({ item_id: row.id, counted })}
                  onWrong={noteWrong}
                />
              ))}
            </ul>
          )}
        </Loaded>
        {rows.data?.pagination && rows.data.pagination.total_items > rows.data.data.length && (
          <Notice tone="info" title="Only the first 500 rows are shown">
            Split a location as large as this, or count it in parts.
          </Notice>
        )}
        <LoadProblem query={found} what="Lots found without a row" />
        <Found
          lots={found.data ?? []}
          onTakeBack={(lot) =>
            count.mutate({ lot_id: lot.lot_id, condition: lot.condition, counted: null })
          }
        />
        <FindLot
          onFound={(lot_id, condition, counted) =>
            count.mutateAsync({ lot_id, condition, counted })
          }
          onTyped={setIsFinding}
        />
        <div className="flex flex-col gap-3 rounded-card bg-sunken p-3">
          <LoadProblem query={tally} what="The sums" />
          <p role="status" className="font-medium">
            {told ? tallyWords(told, missing.value) : "…"}
          </p>
          {open > 0 && (
            <CheckField
              label={`What was not counted is missing: ${rowsIn(open)}`}
              hint="Otherwise they stay as they are."
              {...missing}
            />
          )}
          <InputField
            label="Reason"
            hint="Shown in the history of each row that differs."
            {...note}
          />
        </div>
      </div>
    </ActDialog>
  );
}

function RowToCount(props: CountFieldProps) {
  const { row } = props;
  const { field, problem, difference } = useCountField(props);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="flex min-w-0 flex-1 basis-full flex-col gap-1 sm:basis-48 [&_.truncate]:line-clamp-2 [&_.truncate]:whitespace-normal">
        <LotName {...lotNameOf(row)} />
        <span className="flex items-center gap-2 pl-12.5 text-xs">
          {colorWords(row.color_name) && <ColorName name={row.color_name} html={row.color_html} />}
          <ConditionTag condition={row.condition} text={row.condition_text} />
        </span>
      </span>
      <span className="w-24 text-muted text-sm tabular-nums sm:text-right">
        {formatCount(row.quantity)} known
      </span>
      <span className="w-24">
        <Input {...field} />
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
        {differenceText(difference)}
      </span>
      {problem && (
        <p role="alert" className="basis-full text-danger text-xs">
          {problem}
        </p>
      )}
    </li>
  );
}

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
          <Button size="sm" once onClick={() => props.onTakeBack(lot)}>
            Take back
          </Button>
        </li>
      ))}
    </ul>
  );
}
