import { clsx } from "clsx";
import { Check, CircleAlert, CloudOff, RotateCw, Undo2 } from "lucide-react";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import { ColorName, conditionNames } from "@/shared/ui/Lot";
import { Spinner } from "@/shared/ui/Spinner";
import { type Lookup, progressText } from "../add/lookups";
import { askedText } from "../find/card";
import type { Row } from "./session";
import { useStanding } from "./sitting";

const ICON = "size-4 shrink-0";

/** The last rows of the batch, newest first, each with its state and an undo button. */
export function AddsList(props: {
  rows: readonly Row[];
  lookups: readonly Lookup[];
  onEdit: (lookup: Lookup) => void;
  currency?: string;
  onUndo: (row: Row) => void;
  onRetry: (row: Row) => void;
  onOverride: (row: Row) => void;
  onOtherBin: (row: Row) => void;
}) {
  const { rows, lookups, onEdit, currency, ...acts } = props;
  if (rows.length + lookups.length === 0) {
    return <p className="px-4 py-3 text-muted">What you add appears here, newest first.</p>;
  }
  return (
    <ol aria-label="Last added" className="flex flex-col">
      {lookups.map((lookup) => (
        <LookedUp key={lookup.key} lookup={lookup} onEdit={() => onEdit(lookup)} />
      ))}
      {rows.map((row, index) => (
        <AddedRow key={row.key} row={row} isLast={index === 0} currency={currency} {...acts} />
      ))}
    </ol>
  );
}

const line =
  "flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 max-sm:gap-x-2 max-sm:px-3 border-line border-b px-4 py-0.5 last:border-b-0";

/** An add that was typed ahead: shows the typed text until its item is known. */
function LookedUp({ lookup, onEdit }: { lookup: Lookup; onEdit: () => void }) {
  const { ask, quantity, problem, waiting } = lookup;
  const state = states[problem ? "failed" : waiting ? "unsent" : "sending"];
  return (
    <li className={clsx(line, problem && "bg-danger-tint text-danger")}>
      {state.icon}
      <span className="w-12 shrink-0 text-right font-bold text-base tabular-nums">
        {formatCount(quantity)}
      </span>
      <span className="font-semibold">{askedText(ask.card)}</span>
      {problem ? (
        <span role="alert">{problem}</span>
      ) : (
        <span className="text-muted">{progressText(lookup)}</span>
      )}
      {problem && (
        <Button size="sm" className="ml-auto" onClick={onEdit}>
          Change it
        </Button>
      )}
    </li>
  );
}

function AddedRow(props: {
  row: Row;
  isLast: boolean;
  currency?: string;
  onUndo: (row: Row) => void;
  onRetry: (row: Row) => void;
  onOverride: (row: Row) => void;
  onOtherBin: (row: Row) => void;
}) {
  const { row, isLast, currency, onUndo } = props;
  const { draft, quantity, bin, known } = row;
  const name = `${draft.itemNumber || draft.itemName} ${draft.colorName}`.trim();
  return (
    <li className={clsx(line, isLast && "bg-accent-tint/50", row.startedWith > 0 && "text-muted")}>
      <State row={row} />
      <span className="w-12 shrink-0 text-right font-bold text-base tabular-nums max-sm:w-8">
        {formatCount(quantity)}
      </span>
      {draft.itemNumber ? (
        <>
          <span className="w-20 shrink-0 truncate font-semibold tabular-nums max-sm:w-16">
            {draft.itemNumber}
          </span>
          <span className="min-w-0 max-md:flex-1 md:w-36">
            <ColorName name={draft.colorName} html={draft.colorHtml} />
          </span>
          <span className="min-w-0 flex-1 truncate text-muted max-md:hidden">{draft.itemName}</span>
        </>
      ) : (
        <span className="min-w-0 flex-1 truncate font-semibold">{draft.itemName}</span>
      )}
      <span className="w-12 shrink-0 text-muted max-lg:hidden">
        {conditionNames[draft.condition]}
      </span>
      <span className="w-16 shrink-0 text-right text-muted tabular-nums max-lg:hidden">
        {draft.price === null ? "" : formatMoney(draft.price, currency)}
      </span>
      <span className="ml-auto max-w-40 shrink-0 truncate text-right font-semibold max-sm:max-w-20 sm:w-32">
        {bin?.name ?? <span className="font-normal text-muted">no bin</span>}
        {known?.isStowed && <span className="font-normal text-success"> stowed</span>}
      </span>
      <IconButton
        size="sm"
        label={`Undo ${name}`}
        icon={<Undo2 aria-hidden="true" className="size-4" />}
        // The next row moves up under the pointer.
        once
        onClick={() => onUndo(row)}
      />
      {row.problem && <Refusal {...props} problem={row.problem} />}
    </li>
  );
}

const states = {
  saved: {
    icon: <Check aria-hidden="true" className={clsx(ICON, "text-success")} />,
    text: "saved",
  },
  sending: { icon: <Spinner className="text-muted" />, text: "being sent" },
  unsent: {
    icon: <CloudOff aria-hidden="true" className={clsx(ICON, "text-warning")} />,
    text: "not sent yet, tried again by itself",
  },
  failed: {
    icon: <CircleAlert aria-hidden="true" className={clsx(ICON, "text-danger")} />,
    text: "refused",
  },
  gone: { icon: <Undo2 aria-hidden="true" className={ICON} />, text: "taken back" },
};

function State({ row }: { row: Row }) {
  const { icon, text } = states[useStanding(row)];
  return (
    <span title={text} className="flex w-4 shrink-0 justify-center">
      {icon}
      <span className="sr-only">{text}</span>
    </span>
  );
}

function Refusal(props: {
  row: Row;
  problem: NonNullable<Row["problem"]>;
  onRetry: (row: Row) => void;
  onOverride: (row: Row) => void;
  onOtherBin: (row: Row) => void;
}) {
  const { row, problem, onRetry, onOverride, onOtherBin } = props;
  const isCapacity = problem.code === "CAPACITY_EXCEEDED";
  return (
    <div className="flex w-full flex-wrap items-center gap-2 rounded-control bg-danger-tint px-3 py-1.5 text-danger text-sm">
      <span role="alert" className="min-w-0 flex-1">
        {problem.what === "stow" && "Added, not stowed. "}
        {problem.text}
      </span>
      {problem.canOverride && (
        <Button size="sm" onClick={() => onOverride(row)}>
          {(problem.fits ?? 0) > 0 ? "Split or stow anyway…" : "Stow anyway…"}
        </Button>
      )}
      {isCapacity && (
        <Button size="sm" onClick={() => onOtherBin(row)}>
          Other bin
        </Button>
      )}
      <Button
        size="sm"
        icon={<RotateCw aria-hidden="true" className="size-3.5" />}
        once
        onClick={() => onRetry(row)}
      >
        Retry
      </Button>
    </div>
  );
}
