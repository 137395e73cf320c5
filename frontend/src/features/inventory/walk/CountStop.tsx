import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { useStable } from "@/shared/lib/useStable";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { useScanner } from "@/shared/scanner/scans";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Input } from "@/shared/ui/Field";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import {
  BinName,
  LOT_LIST,
  pictureSize,
  WalkFoot,
  WalkLot,
  WalkRows,
  WalkStop,
} from "@/shared/walk/WalkFrame";
import { useTellAct } from "../acts";
import {
  type Stocktake,
  stocktakeQueries,
  tallyWords,
  unsentCounts,
  useBeginStocktake,
  useCountedRows,
  useCounting,
} from "../stocktake/stocktake";
import { type CountFieldProps, differenceText, useCountField } from "../stocktake/useCountField";
import type { StopProps } from "./model";

/** One bin that is counted: only what differs is typed, and the button or its label ends it. */
export function CountStop(props: StopProps) {
  const { bin, read, goTo } = props;
  const begun = useBeginStocktake();
  const { mutate: begin } = begun;
  const [isDone, setDone] = useState(false);
  useEffect(() => begin(bin.id), [begin, bin.id]);
  if (isDone) {
    return (
      <Counted
        {...props}
        onAgain={() => {
          begin(bin.id);
          setDone(false);
        }}
      />
    );
  }
  if (begun.data?.state === "open") {
    return (
      <Counting
        key={begun.data.id}
        stocktake={begun.data}
        {...{ bin, read, goTo }}
        onDone={() => setDone(true)}
      />
    );
  }
  return begun.error ? (
    <ErrorState error={begun.error} onRetry={() => begin(bin.id)} />
  ) : (
    <Loading />
  );
}

function Counting(props: StopProps & { stocktake: Stocktake; onDone: () => void }) {
  const { bin, read, goTo, stocktake, onDone } = props;
  const rows = useQuery(stocktakeQueries.rows(stocktake.id));
  const tally = useQuery(stocktakeQueries.tally(stocktake.id));
  const { count, apply, discard } = useCounting(stocktake);
  const client = useQueryClient();
  const [wrong, setWrong] = useState<ReadonlySet<number>>(new Set());
  const noteWrong = useStable((row: number, isWrong: boolean) =>
    setWrong((now) => new Set(isWrong ? [...now, row] : [...now].filter((one) => one !== row))),
  );
  const tell = useTellAct();
  const lots = useCountedRows(stocktake.id, rows.data?.data ?? []);
  const more = (rows.data?.pagination?.total_items ?? 0) - lots.length;
  const differs = tally.data ? tally.data.fewer_pieces + tally.data.more_pieces > 0 : false;
  const finish = () => {
    if (apply.isPending || wrong.size > 0) return;
    apply.mutate(
      { missing: false, note: "" },
      {
        onSuccess: ({ act_id, words }) => {
          tell(`${bin.name} counted: ${words}`, act_id);
          onDone();
        },
      },
    );
  };
  const scan = async (text: string) => {
    // A count that was typed is sent before what the scan means.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    const found = await read(text);
    if (!found) return;
    try {
      // A scan may come before the sums.
      const told = await client.ensureQueryData(stocktakeQueries.tally(stocktake.id));
      if (found.id === bin.id) return finish();
      // Nothing was typed: nothing is left open.
      const isCounting = unsentCounts(stocktake.id).length > 0;
      if (told.counted === 0 && told.found_lots === 0 && !isCounting) discard.mutate();
    } catch (error) {
      toast.error(problemText(error), { id: "scan" });
      if (found.id === bin.id) return;
    }
    goTo(found.id);
  };
  useScanner((code) => void scan(code));

  return (
    <WalkStop name={bin.name}>
      <BinName>{bin.name}</BinName>
      <p className="flex justify-between gap-2 py-2">
        <span>
          {counted(bin.item_count, "piece")}
          {rows.data && `, ${counted(lots.length + Math.max(more, 0), "lot")}`}
        </span>
        <span className="text-muted text-sm">Type only what differs</span>
      </p>
      <WalkRows label={`Content of ${bin.name}`}>
        {rows.error ? (
          <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
        ) : rows.isPending ? (
          <Loading />
        ) : lots.length === 0 ? (
          <EmptyState title="No lots are recorded here">
            The full count takes what you found.
          </EmptyState>
        ) : (
          <ul aria-label="Lots" className={LOT_LIST}>
            {lots.map((row) => (
              <RowToCount
                key={row.id}
                row={row}
                size={pictureSize(lots.length)}
                onCount={(pieces) => count.mutateAsync({ item_id: row.id, counted: pieces })}
                onWrong={noteWrong}
              />
            ))}
          </ul>
        )}
        {more > 0 && (
          <Notice tone="info" title={`Only the first ${formatCount(lots.length)} rows are shown`}>
            Split a location as large as this, or count it in parts.
          </Notice>
        )}
      </WalkRows>
      <div data-foot="" className="flex justify-end pt-1">
        <ButtonLink variant="ghost" size="sm" to={pathTo("inventory", { count: bin.id })}>
          Something else is here
        </ButtonLink>
      </div>
      <WalkFoot
        label={
          differs && tally.data
            ? `Apply: ${tallyWords(tally.data, false)}`
            : bin.item_count === 0
              ? "It is empty"
              : bin.item_count === 1
                ? "It is there"
                : `All ${formatCount(bin.item_count)} are there`
        }
        loading={apply.isPending}
        disabledReason={
          wrong.size > 0
            ? "A count is not saved: correct it first"
            : !tally.data && (tally.error ? "The sums could not be loaded" : "Still loading")
        }
        onConfirm={finish}
        next="Right? Scan it again"
        onScan={(text) => void scan(text)}
      />
    </WalkStop>
  );
}

function RowToCount(props: CountFieldProps & { size: ReturnType<typeof pictureSize> }) {
  const { row, size } = props;
  const { field, problem, difference } = useCountField(props);
  return (
    <li>
      <WalkLot lot={row} name={row.part_name} size={size}>
        <span className="flex w-24 shrink-0 flex-col gap-1 pr-1">
          <Input
            {...field}
            inputMode="numeric"
            placeholder={formatCount(row.quantity)}
            className="h-12! text-2xl! font-bold placeholder:text-ink"
          />
          <span
            className={
              difference ? "text-right text-danger text-sm" : "text-right text-sm text-success"
            }
          >
            {differenceText(difference)}
          </span>
        </span>
      </WalkLot>
      {problem && (
        <p role="alert" className="px-2 pb-2 text-danger text-sm">
          {problem}
        </p>
      )}
    </li>
  );
}

/** After a bin: the next label leads on, and this one's counts it again. */
function Counted({ bin, read, goTo, onAgain }: StopProps & { onAgain: () => void }) {
  useScanner(
    (code) =>
      void read(code).then((found) => {
        if (found) found.id === bin.id ? onAgain() : goTo(found.id);
      }),
  );
  return (
    <EmptyState
      title={`${bin.name} is counted`}
      actions={
        <>
          <ScanButton label="Scan the next bin" keepOpen />
          <Button variant="ghost" onClick={onAgain}>
            Count it again
          </Button>
        </>
      }
    >
      Scan the label of the next bin to count it.
    </EmptyState>
  );
}
