import { useState } from "react";
import { optionsOf } from "@/shared/lib/names";
import { Button } from "@/shared/ui/Button";
import { ChoiceField, Select } from "@/shared/ui/Field";
import { conditionOptions } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import type { InventorySync, SyncOptions } from "./model";
import { COLUMN_OPTIONS, kindWords, tableWords } from "./readingWords";
import { isOfBatch } from "./rules";

const delimiters = optionsOf({ ",": "Comma", ";": "Semicolon", "\t": "Tab", "|": "Bar |" });
const encodings = optionsOf({
  "utf-8": "UTF-8",
  cp1252: "Western (Windows)",
  cp1250: "Central European",
  cp1251: "Cyrillic",
  mac_roman: "Mac",
  "latin-1": "Latin 1",
  "utf-16-le": "UTF-16",
  "utf-16-be": "UTF-16, big end",
});
const conditions = [{ value: "", label: "Not given" } as const, ...conditionOptions];
const decimals = optionsOf({ ".": "Point: 0.15", ",": "Comma: 0,15" });
const colorNumbers = optionsOf({
  bricklink: "BrickLink's",
  rebrickable: "Rebrickable's",
  brickowl: "Brick Owl's",
  lego: "LEGO's own",
});

type Table = NonNullable<InventorySync["reading"]["table"]>;
type Said = NonNullable<SyncOptions["table"]>;

/** What the file was taken for, and how its table was read: each guess can be corrected. */
export function Reading(props: {
  sync: InventorySync;
  busy: boolean;
  onAgain: (options: Partial<SyncOptions>) => void;
}) {
  const { sync, busy, onAgain } = props;
  const { kind, covers, table, sample = [] } = sync.reading;
  const needsColumn = sync.warnings.some(({ code }) =>
    ["no_item_column", "no_condition_column", "whose_numbers"].includes(code),
  );
  const [isOpen, setIsOpen] = useState(needsColumn);
  const isPlain = kind === "bsx" && (covers === "whole" || isOfBatch(sync));
  if (kind === undefined || covers === undefined || isPlain) return null;
  return (
    <section
      aria-label="How the file was read"
      className="flex flex-col gap-2 rounded-control border border-line px-3 py-2.5 text-sm"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold">{kindWords[kind]}</h3>
          {table && <p className="text-muted">{tableWords(table, sync.reading.foreign_numbers)}</p>}
        </div>
        {table && (
          <Button size="sm" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? "Hide the columns" : "Check the columns"}
          </Button>
        )}
      </div>
      {!isOfBatch(sync) && (
        <div className="flex flex-wrap items-center gap-2">
          <SegmentedControl
            label="What the file holds"
            value={covers}
            onChange={(next) => !busy && next !== covers && onAgain({ covers: next })}
            options={{ part: "Some lots", whole: "The whole store" }}
          />
          <span className="text-muted">
            {covers === "part" ? "The other lots stay as they are." : "Other lots are set to 0."}
          </span>
        </div>
      )}
      {table?.unclear?.map((one) => (
        <Unclear
          key={one.column}
          table={table}
          unclear={one}
          onChosen={(said) => !busy && onAgain({ table: said })}
        />
      ))}
      {table && isOpen && (
        <Columns
          table={table}
          sample={sample}
          busy={busy}
          onSaid={(said) => onAgain({ table: said })}
        />
      )}
    </section>
  );
}

/** A column such as 1.234, 5.678: only the person knows whether these are thousands. */
function Unclear(props: {
  table: Table;
  unclear: { column: number; text: string };
  onChosen: (said: Said) => void;
}) {
  const { table, onChosen } = props;
  const { column, text } = props.unclear;
  const sign = text.includes(",") ? "," : ".";
  const other = sign === "," ? "." : ",";
  const choose = (meant: "part" | "thousands") => {
    const decimals = [...(kept(table).decimals ?? [])];
    decimals[column] = meant === "part" ? sign : other;
    onChosen({ ...kept(table), decimals });
  };
  const name = table.heads[column] || `Column ${column + 1}`;
  return (
    <div className="flex flex-wrap items-center gap-2 text-warning">
      <span>
        {name}: what is “{text}”?
      </span>
      <SegmentedControl
        label={`What ${text} is in ${name}`}
        value={table.decimals?.[column] === sign ? "part" : "thousands"}
        onChange={choose}
        options={{ part: "A decimal", thousands: "Thousands" }}
      />
    </div>
  );
}

function Columns(props: {
  table: Table;
  sample: string[][];
  busy: boolean;
  onSaid: (said: Said) => void;
}) {
  const { table, sample, busy, onSaid } = props;
  const [columns, setColumns] = useState(table.columns);
  // Another delimiter gives other columns, so those are found again too.
  const splitAnew = (said: Partial<Said>) => {
    const { decimal: _found, decimals: _ofColumns, ...rest } = kept(table);
    onSaid({ ...rest, columns: [], ...said });
  };
  const readAnew = (said: Partial<Said>) => onSaid({ ...kept(table), ...said } as Said);
  const read = kept(table);
  const choice = <Name extends "delimiter" | "encoding" | "decimal" | "colors" | "condition">(
    label: string,
    options: readonly { value: NonNullable<Said[Name]>; label: string }[],
    name: Name,
    act: (said: Partial<Said>) => void = readAnew,
  ) => (
    <ChoiceField
      label={label}
      value={read[name]}
      disabled={busy}
      onChange={(value) => act({ [name]: value })}
      options={options}
    />
  );
  return (
    <div className="mt-1 flex flex-col gap-3 border-line border-t pt-3">
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-5">
        {choice("Separated by", delimiters, "delimiter", splitAnew)}
        {choice("Text encoding", encodings, "encoding", splitAnew)}
        {choice("Decimal sign", decimals, "decimal", (said) => readAnew({ ...said, decimals: [] }))}
        {choice("Colour numbers", colorNumbers, "colors")}
        {choice("Condition, if none", conditions, "condition")}
      </div>
      <ul className="grid max-h-80 gap-x-6 gap-y-2 overflow-y-auto sm:grid-cols-2">
        {columns.map((field, at) => {
          const name = table.heads[at] || `Column ${at + 1}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            <li key={at} className="grid min-w-0 grid-cols-2 items-center gap-2">
              <span className="min-w-0">
                <span className="block truncate font-medium text-xs">{name}</span>
                <span className="block truncate text-muted text-xs">
                  {sample
                    .map((row) => row[at])
                    .filter(Boolean)
                    .slice(0, 3)
                    .join(" · ") || "Empty"}
                </span>
              </span>
              <Select
                aria-label={`What is ${name}?`}
                value={field}
                onChange={({ target }) =>
                  setColumns(columns.map((one, place) => (place === at ? target.value : one)))
                }
                options={COLUMN_OPTIONS}
              />
            </li>
          );
        })}
      </ul>
      <Button
        size="sm"
        className="self-start"
        loading={busy}
        disabledReason={columns.join() === table.columns.join() && "The file was read like this"}
        onClick={() => readAnew({ columns: columns as NonNullable<Said["columns"]> })}
      >
        Read the file like this
      </Button>
    </div>
  );
}

/** What stays as it was when one thing is corrected. */
function kept(table: Table): Said {
  const { encoding, delimiter, quote, decimal, colors, condition, columns } = table;
  const isOpen = (at: number) => table.unclear?.some(({ column }) => column === at);
  const decimals = table.decimals?.map((sign, at) => (isOpen(at) ? "" : sign));
  return {
    ...{ encoding, delimiter, quote, decimal, colors, condition, columns },
    ...(decimals && { decimals }),
  } as Said;
}
