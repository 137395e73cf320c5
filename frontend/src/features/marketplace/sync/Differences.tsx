import { useQuery } from "@tanstack/react-query";
import { MoveRight } from "lucide-react";
import { useState } from "react";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { SelectBox } from "@/shared/ui/Checkbox";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { Loaded } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import { ChannelMark } from "../channels/Marks";
import { fieldNames } from "./fields";
import type { DifferenceKind, StoreSync, SyncDifference } from "./model";
import { storeSyncQueries } from "./queries";
import { changesStock, kindsOf, kindWords } from "./rules";

type Choice = {
  isChosen: (row: SyncDifference) => boolean;
  onToggle: (row: SyncDifference) => void;
};

/** The lots that differ, a tab for each way; each can be chosen or left out. */
export function Differences({ sync, ...choice }: { sync: StoreSync } & Choice) {
  const kinds = kindsOf(sync);
  const [chosen, setChosen] = useState<string>(kinds[0] ?? "");
  if (kinds.length === 0) return null;
  return (
    <Tabs
      label="Lots by how they differ"
      value={chosen}
      onChange={setChosen}
      tabs={kinds.map((kind) => ({
        value: kind,
        label: (
          <>
            {kindWords[kind].label}
            <span className="text-muted text-xs tabular-nums">
              {formatCount(sync.counts[kind])}
            </span>
          </>
        ),
        panel: <Rows key={kind} id={sync.id} kind={kind} {...choice} />,
      }))}
    />
  );
}

function Rows({ id, kind, ...choice }: { id: number; kind: DifferenceKind } & Choice) {
  const [page, setPage] = useState(1);
  const query = useQuery(storeSyncQueries.rows(id, { kind }, page));
  return (
    <Loaded query={query}>
      {(data) => (
        <div className={query.isPlaceholderData ? "opacity-60" : undefined}>
          <p className="mb-2 text-muted">{kindWords[kind].effect}</p>
          <SimpleTable
            caption={kindWords[kind].label}
            columns={columnsOf(kind, data.data, choice)}
            rows={data.data}
            getKey={(row) => row.id}
          />
          <Pager page={page} pages={data.pagination?.total_pages ?? 1} onPage={setPage} />
        </div>
      )}
    </Loaded>
  );
}

function columnsOf(
  kind: DifferenceKind,
  rows: readonly SyncDifference[],
  choice: Choice,
): SimpleColumn<SyncDifference>[] {
  const leave: SimpleColumn<SyncDifference> = {
    header: "Do it",
    cell: (row) => (
      <SelectBox
        label={`Sync ${row.name}`}
        checked={choice.isChosen(row)}
        onChange={() => choice.onToggle(row)}
      />
    ),
  };
  const columns = [leave, lot, ...(kind === "changed" ? [] : [here, there])];
  if (rows.some((row) => row.changes.length > 0)) columns.push(changesOf(kind));
  return columns;
}

const lot: SimpleColumn<SyncDifference> = {
  header: "Lot",
  grow: true,
  cell: (row) => (
    <span className="flex min-w-32 flex-col sm:min-w-44">
      <span className="font-medium">{row.name}</span>
      <span className="flex items-center gap-1.5 text-muted text-xs tabular-nums">
        <ChannelMark id={row.channel_id} />
        Lot {row.marketplace_lot_id}
      </span>
    </span>
  ),
};
const here: SimpleColumn<SyncDifference> = {
  header: "Here",
  align: "end",
  cell: (row) => formatCount(row.quantity_here),
};
const there: SimpleColumn<SyncDifference> = {
  header: "In the store",
  align: "end",
  cell: (row) => formatCount(row.quantity_there),
};

const changesOf = (kind: DifferenceKind): SimpleColumn<SyncDifference> => ({
  header: changesStock(kind) ? "Yours becomes the store's" : "The store's becomes yours",
  cell: (row) =>
    row.changes.length === 0 ? null : (
      <ul className="flex min-w-44 flex-col gap-0.5">
        {row.changes.map((change) => {
          const text = (value: string) =>
            change.field === "price" ? formatMoney(value) : value || "(none)";
          const sides = [change.here, change.there].map(text);
          const [before, after] = changesStock(kind) ? sides : sides.reverse();
          return (
            <li key={change.field} className="flex flex-wrap items-baseline gap-x-1.5">
              <span className="text-muted text-xs">{fieldNames[change.field]}</span>
              <del className="text-muted decoration-from-font">{before}</del>
              <MoveRight aria-hidden="true" className="size-3 self-center text-faint" />
              <span className="sr-only">becomes</span>
              <ins className="font-medium no-underline">{after}</ins>
            </li>
          );
        })}
      </ul>
    ),
});
