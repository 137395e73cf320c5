import { useQuery } from "@tanstack/react-query";
import { MoveRight } from "lucide-react";
import { useState } from "react";
import { colorWords } from "@/shared/lib/colorNames";
import { formatCount } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { rowsWith } from "@/shared/lib/records";
import { priceText } from "@/shared/lib/worth";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ConditionTag } from "@/shared/ui/Lot";
import { Pager } from "@/shared/ui/Pager";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { Loaded } from "@/shared/ui/states";
import { Tabs } from "@/shared/ui/Tabs";
import { ROW_KINDS, type RowKind, type SyncCounts, type SyncRow, type WarningRow } from "./model";
import { ROWS_PAGE, syncQueries } from "./queries";
import { becomesText, fieldChanges, reasonWords } from "./rules";

const labels: Record<RowKind, string> = {
  changed: "Changed",
  zeroed: "Set to 0",
  unknown: "Unknown",
  unreadable: "Unreadable",
  warnings: "Read differently",
};

/** The lots whose import is special, with a tab for each kind; those that are only new are not. */
export function SyncRows({ id, counts }: { id: number; counts: SyncCounts }) {
  const kinds = ROW_KINDS.filter((kind) => counts[kind] > 0);
  const [chosen, setChosen] = useState<string>(kinds[0] ?? "");
  const value = kinds.find((kind) => kind === chosen) ?? kinds[0];
  if (value === undefined) return null;
  return (
    <Tabs
      label="Lots by what will happen to them"
      value={value}
      onChange={setChosen}
      tabs={kinds.map((kind) => ({
        value: kind,
        label: (
          <>
            {labels[kind]}
            <span className="text-muted text-xs tabular-nums">{formatCount(counts[kind])}</span>
          </>
        ),
        panel: <Rows key={kind} id={id} kind={kind} total={counts[kind]} />,
      }))}
    />
  );
}

function Rows({ id, kind, total }: { id: number; kind: RowKind; total: number }) {
  const [page, setPage] = useState(1);
  const query = useQuery(syncQueries.rows(id, kind, page));
  const pages = Math.max(1, Math.ceil((query.data?.pagination?.total_items ?? total) / ROWS_PAGE));

  return (
    <Loaded query={query}>
      {(data) => (
        <div className={query.isPlaceholderData ? "opacity-60" : undefined}>
          {kind === "warnings" ? (
            <SimpleTable
              caption={labels[kind]}
              columns={warningColumns}
              rows={rowsWith<WarningRow>(data.data, "message", "field")}
              getKey={(row, index) => `${row.index}-${row.field}-${index}`}
              maxHeight="md"
            />
          ) : (
            <SimpleTable
              caption={labels[kind]}
              columns={columnsOf[kind]}
              rows={rowsWith<SyncRow>(data.data, "inventory_item_id")}
              getKey={(row, index) => `${row.index}-${row.inventory_item_id}-${index}`}
              maxHeight="md"
            />
          )}
          <Pager page={page} pages={pages} onPage={setPage} />
        </div>
      )}
    </Loaded>
  );
}

function LotName({ row }: { row: SyncRow }) {
  const { item_number, item_name, item_type, color_name, color_html, image_url } = row;
  return (
    <span className="flex min-w-52 items-center gap-2.5">
      <ItemImage
        src={image_url}
        type={isItemType(item_type) ? item_type : "PART"}
        name={item_name || item_number}
        colorName={colorWords(color_name)}
        colorHtml={color_html}
      />
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">{item_name || item_number || "(no number)"}</span>
        <span className="text-muted text-xs">
          <span className="font-mono">{item_number}</span>
          {colorWords(color_name) && ` · ${color_name}`}
        </span>
      </span>
    </span>
  );
}

const name: SimpleColumn<SyncRow> = {
  header: "Item",
  grow: true,
  cell: (row) => <LotName row={row} />,
};
const condition: SimpleColumn<SyncRow> = {
  header: "Condition",
  cell: (row) => <ConditionTag condition={row.condition} />,
};
const quantity: SimpleColumn<SyncRow> = {
  header: "Quantity",
  align: "end",
  cell: (row) => formatCount(row.quantity),
};
const price: SimpleColumn<SyncRow> = {
  header: "Price",
  align: "end",
  cell: (row) => <span className="whitespace-nowrap">{priceText(row.price)}</span>,
};
const place: SimpleColumn<SyncRow> = {
  header: "Bin",
  cell: (row) => (
    <span className="block max-w-40 truncate" title={row.location_name || undefined}>
      {row.location_name || <span className="text-muted">none</span>}
    </span>
  ),
};
const reason: SimpleColumn<SyncRow> = {
  header: "Reason",
  cell: (row) => <span className="block min-w-40">{reasonWords(row.reason)}</span>,
};
const becomes: SimpleColumn<SyncRow> = { header: "Result", cell: becomesText };
const line: SimpleColumn<SyncRow> = {
  header: "Line",
  align: "end",
  cell: (row) => <span className="text-muted">{row.line}</span>,
};
const changes: SimpleColumn<SyncRow> = {
  header: "What changes",
  cell: (row) => (
    <ul className="flex min-w-60 flex-col gap-0.5">
      {fieldChanges(row).map((change) => (
        <li key={change.field} className="flex flex-wrap items-baseline gap-x-1.5">
          <span className="text-muted text-xs">{change.name}</span>
          <del className="text-muted decoration-from-font">{change.before}</del>
          <MoveRight aria-hidden="true" className="size-3 self-center text-faint" />
          <span className="sr-only">becomes</span>
          <ins className="font-medium no-underline">{change.after}</ins>
        </li>
      ))}
    </ul>
  ),
};

const columnsOf: Record<Exclude<RowKind, "warnings">, readonly SimpleColumn<SyncRow>[]> = {
  changed: [name, changes],
  zeroed: [
    name,
    condition,
    {
      header: "Now",
      align: "end",
      cell: (row) => fieldChanges(row).find(({ field }) => field === "quantity")?.before ?? "–",
    },
    price,
    place,
  ],
  unknown: [name, condition, quantity, place, reason, becomes],
  unreadable: [line, name, reason],
};

const warningColumns: readonly SimpleColumn<WarningRow>[] = [
  { header: "Line", align: "end", cell: (row) => <span className="text-muted">{row.line}</span> },
  { header: "Tag", cell: (row) => <span className="font-mono text-xs">{row.field}</span> },
  { header: "How it was read", grow: true, cell: (row) => row.message },
];
