import { clsx } from "clsx";
import { Check, CircleAlert, CloudOff, RotateCw, Undo2 } from "lucide-react";
import { memo } from "react";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { Button, IconButton } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ColorName, conditionNames } from "@/shared/ui/Lot";
import { Spinner } from "@/shared/ui/Spinner";
import { type Lookup, progressText } from "../add/lookups";
import { askedText } from "../find/card";
import type { Row } from "./session";
import { sitting, useStanding } from "./sitting";

const ICON = "size-3.5 shrink-0";

type OnOpen = (dialog: { what: "override" | "otherBin"; key: string }) => void;

/** The last lots of the batch as pictures, newest first, each with its state and an undo button. */
export function AddsList(props: {
  rows: readonly Row[];
  lookups: readonly Lookup[];
  onEdit: (lookup: Lookup) => void;
  currency?: string;
  onOpen: OnOpen;
}) {
  const { rows, lookups, onEdit, currency, onOpen } = props;
  if (rows.length + lookups.length === 0) {
    return <p className="px-4 py-3 text-muted">What you add appears here, newest first.</p>;
  }
  return (
    <ol
      aria-label="Last added"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] gap-1 p-2"
    >
      {lookups.map((lookup) => (
        <LookedUp key={lookup.key} lookup={lookup} onEdit={() => onEdit(lookup)} />
      ))}
      {rows.map((row, index) => (
        <AddedRow
          key={row.key}
          row={row}
          isLast={index === 0}
          currency={currency}
          onOpen={onOpen}
        />
      ))}
    </ol>
  );
}

const tile =
  "group relative flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control px-2 py-1";
// What was refused has a sentence and buttons: it takes the whole line.
const refused = "col-span-full bg-danger-tint text-danger";

/** An add that was typed ahead: shows the typed text until its item is known. */
function LookedUp({ lookup, onEdit }: { lookup: Lookup; onEdit: () => void }) {
  const { ask, quantity, problem, waiting } = lookup;
  const state = states[problem ? "failed" : waiting ? "unsent" : "sending"];
  return (
    <li className={clsx(tile, problem ? refused : "bg-sunken")}>
      <span className="flex size-10 shrink-0 items-center justify-center">{state.icon}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-bold tabular-nums">{formatCount(quantity)}</span>{" "}
          <span className="font-semibold">{askedText(ask.card)}</span>
        </p>
        {problem ? (
          <p role="alert">{problem}</p>
        ) : (
          <p className="text-muted text-xs">{progressText(lookup)}</p>
        )}
      </div>
      {problem && (
        <Button size="sm" onClick={onEdit}>
          Change it
        </Button>
      )}
    </li>
  );
}

/** A lot with its picture, how many went into which bin, and what it is. */
const AddedRow = memo(function AddedRow(props: {
  row: Row;
  isLast: boolean;
  currency: string | undefined;
  onOpen: OnOpen;
}) {
  const { row, isLast, currency, onOpen } = props;
  const { draft, quantity, bin, known, problem } = row;
  const name = `${draft.itemNumber || draft.itemName} ${draft.colorName}`.trim();
  const facts = [
    draft.itemName,
    draft.colorName,
    conditionNames[draft.condition],
    draft.price !== null && formatMoney(draft.price, currency),
  ];
  return (
    <li
      title={facts.filter(Boolean).join(" · ")}
      className={clsx(
        tile,
        problem ? refused : isLast && "bg-sunken",
        row.startedWith > 0 && "text-muted",
      )}
    >
      <span className="relative shrink-0">
        <ItemImage
          src={draft.imageUrl}
          type={draft.itemType}
          colorHtml={draft.colorHtml}
          size="sm"
        />
        <State row={row} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-bold tabular-nums">{formatCount(quantity)}</span>{" "}
          <span className="text-muted">{bin ? "in" : "without a bin"}</span>{" "}
          {bin && <span className="font-bold">{bin.name}</span>}
          {known?.isStowed && <span className="text-success"> stowed</span>}
        </p>
        <p className="flex min-w-0 items-center gap-x-1.5 text-xs">
          {draft.itemNumber && (
            <>
              <span className="shrink-0 font-medium tabular-nums">{draft.itemNumber}</span>
              <span className="min-w-0 shrink-0 max-w-[60%]">
                <ColorName name={draft.colorName} html={draft.colorHtml} />
              </span>
            </>
          )}
          <span className="min-w-0 truncate text-muted">{draft.itemName}</span>
        </p>
      </div>
      <span
        className={clsx(
          !(isLast || problem) &&
            "pointer-fine:absolute pointer-fine:right-1 pointer-fine:rounded-control pointer-fine:bg-surface pointer-fine:in-[li:not(:hover)]:not-focus-within:opacity-0",
        )}
      >
        <IconButton
          size="sm"
          label={`Undo ${name}`}
          icon={<Undo2 aria-hidden="true" className="size-4" />}
          // The next lot moves up under the pointer.
          once
          onClick={() => sitting.takeBack(row.key, Date.now())}
        />
      </span>
      {problem && <Refusal row={row} problem={problem} onOpen={onOpen} />}
    </li>
  );
});

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
    <span
      title={text}
      className="absolute -right-1 -bottom-1 flex size-4.5 items-center justify-center rounded-full bg-surface"
    >
      {icon}
      <span className="sr-only">{text}</span>
    </span>
  );
}

function Refusal(props: { row: Row; problem: NonNullable<Row["problem"]>; onOpen: OnOpen }) {
  const { problem, onOpen } = props;
  const { key } = props.row;
  const isCapacity = problem.code === "CAPACITY_EXCEEDED";
  return (
    <div className="flex w-full flex-wrap items-center gap-2 rounded-control bg-danger-tint px-3 py-1.5 text-danger text-sm">
      <span role="alert" className="min-w-0 flex-1">
        {problem.what === "stow" && "Added, not stowed. "}
        {problem.text}
      </span>
      {problem.canOverride && (
        <Button size="sm" onClick={() => onOpen({ what: "override", key })}>
          {(problem.fits ?? 0) > 0 ? "Split or stow anyway…" : "Stow anyway…"}
        </Button>
      )}
      {isCapacity && (
        <Button size="sm" onClick={() => onOpen({ what: "otherBin", key })}>
          Other bin
        </Button>
      )}
      <Button
        size="sm"
        icon={<RotateCw aria-hidden="true" className="size-3.5" />}
        once
        onClick={() => sitting.retry(key)}
      >
        Retry
      </Button>
    </div>
  );
}
