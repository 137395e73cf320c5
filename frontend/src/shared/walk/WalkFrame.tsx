/** What walks from bin to bin share: the head, the bin's name and the foot with the one button. */
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { colorWords } from "../lib/colorNames";
import { formatCount } from "../lib/format";
import { isItemType } from "../lib/itemTypes";
import { ScanButton } from "../scanner/ScanButton";
import { BackLink } from "../ui/BackLink";
import { Button } from "../ui/Button";
import { InputField } from "../ui/Field";
import { ItemImage } from "../ui/ItemImage";
import type { Icon } from "../ui/icon";
import { type LotCondition, lotConditionNames } from "../ui/Lot";

/**
 * A stop is one screen below the bar: its rows scroll inside `WalkRows`, so that the one button is
 * always in sight and covers nothing.
 */
export function WalkScreen({ children }: { children: ReactNode }) {
  return (
    <div className="-my-3 mx-auto flex h-[calc(100dvh-4.25rem)] max-w-3xl flex-col gap-2 sm:h-auto sm:max-h-[calc(100dvh-4.25rem)]">
      {children}
    </div>
  );
}

/** One stop, within a `WalkScreen`. */
export function WalkStop({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={`Now: ${name}`} className="flex min-h-0 flex-1 flex-col">
      {children}
    </section>
  );
}

/** The rows of a stop, and what belongs to them; the part of a stop that scrolls. */
export function WalkRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      className="min-h-16 flex-1 overflow-y-auto overscroll-contain rounded-card"
    >
      {children}
    </section>
  );
}

/** With more lots than this a stop shows smaller pictures. */
const FEW_LOTS = 3;
export const pictureSize = (lots: number) => (lots > FEW_LOTS ? "md" : "fit");

export const LOT_LIST =
  "divide-y divide-line rounded-card border border-line bg-surface shadow-card";

export function WalkHead(props: {
  to: string;
  back: string;
  title: string;
  /** How far the walk is. */
  children?: ReactNode;
}) {
  return (
    <div className="flex items-center justify-between gap-2">
      <div className="flex min-w-0 items-center gap-2">
        <div className="min-w-12 max-w-40">
          <BackLink to={props.to}>{props.back}</BackLink>
        </div>
        <h1 className="truncate font-semibold">{props.title}</h1>
      </div>
      <p className="shrink-0 text-muted text-sm">{props.children}</p>
    </div>
  );
}

const MOST_SEGMENTS = 24;

/** How far the walk is, a segment for each bin or lot while they are few. */
export function WalkProgress(props: { label: string; done: number; total: number }) {
  const { label, done, total } = props;
  const segments = Math.min(total, MOST_SEGMENTS);
  const at = Math.floor((done / total) * segments);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className="flex gap-1"
    >
      {Array.from({ length: segments }, (_, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: segments have no other name
          key={place}
          className={clsx(
            "h-1.5 min-w-1 flex-1 rounded-full",
            place < at ? "bg-success" : place === at ? "bg-accent" : "bg-line",
          )}
        />
      ))}
    </div>
  );
}

/** A name as large as its length allows. */
const sizeOf = (name: string) =>
  name.length <= 7
    ? "text-[5.5rem] sm:text-[8rem]"
    : name.length <= 10
      ? "text-6xl sm:text-8xl"
      : name.length <= 16
        ? "text-4xl sm:text-7xl"
        : "text-3xl sm:text-5xl";

export function BinName({ children }: { children: string }) {
  return (
    <p
      role="status"
      className={clsx("wrap-anywhere font-bold leading-none tracking-tighter", sizeOf(children))}
    >
      {children}
    </p>
  );
}

/** The one button of a stop, always in view, with the next bin and the field for a bin's name. */
export function WalkFoot(props: {
  label: string;
  icon?: Icon;
  loading?: boolean;
  disabledReason?: string | false;
  /** A page whose first act is to type keeps the focus in its field. */
  typesFirst?: boolean;
  onConfirm: () => void;
  next: ReactNode;
  onScan: (text: string) => void;
}) {
  const { label, icon, loading, disabledReason, typesFirst, onConfirm, next, onScan } = props;
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onScan(typed);
    setTyped("");
  };
  return (
    <div data-foot="" className="flex flex-col gap-2 pt-2">
      <Button
        // One key for each stop: Enter, wherever the last one was confirmed.
        autoFocus={!typesFirst}
        once
        loading={loading}
        disabledReason={disabledReason}
        variant="primary"
        size="lg"
        className="h-16 w-full"
        icon={icon ?? <Check aria-hidden="true" className="size-5 shrink-0" />}
        onClick={onConfirm}
      >
        {label}
      </Button>
      <div className="flex items-center gap-2">
        <div className="wrap-anywhere min-w-0 flex-1 text-muted text-sm">{next}</div>
        <form onSubmit={submit} className="w-40">
          <InputField
            label="Scan or type the bin"
            hideLabel
            value={typed}
            onChange={setTyped}
            placeholder="Scan or type the bin"
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="go"
          />
        </form>
        <ScanButton iconOnly keepOpen />
      </div>
    </div>
  );
}

/** A lot of a stop: its picture, its name, and at the end how many. */
export function WalkLot(props: {
  lot: {
    item_type?: string;
    item_number: string;
    image_url: string | null;
    color_name: string;
    color_html: string;
    condition: LotCondition;
  };
  name: string;
  size: ReturnType<typeof pictureSize>;
  /** What else is said behind its condition. */
  more?: string;
  children: ReactNode;
}) {
  const { lot, size, more, children } = props;
  const name = props.name || lot.item_number;
  return (
    <div className="flex items-center gap-3 p-2">
      <ItemImage
        src={lot.image_url}
        type={isItemType(lot.item_type) ? lot.item_type : "PART"}
        name={name}
        colorName={lot.color_name}
        colorHtml={lot.color_html}
        size={size}
      />
      <span className="wrap-anywhere min-w-0 flex-1 text-left">
        <span className="line-clamp-2 font-medium">{name}</span>
        <span className="block text-muted text-sm">{colorWords(lot.color_name)}</span>
        <span className="block text-muted text-sm">
          <span className="font-mono">{lot.item_number}</span>, {lotConditionNames[lot.condition]}
          {more}
        </span>
      </span>
      {children}
    </div>
  );
}

export function WalkCount({ pieces }: { pieces: number }) {
  return (
    <span className="pr-2 font-bold text-[2.125rem] tabular-nums leading-none">
      {formatCount(pieces)}
      <span className="sr-only"> {pieces === 1 ? "piece" : "pieces"}</span>
    </span>
  );
}

/** Says what a scan led to, where it is seen. */
export function InView({ of, children }: { of: unknown; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is new
  useEffect(() => {
    frame.current?.scrollIntoView?.({ block: "nearest" });
  }, [of]);
  return (
    <div ref={frame} className="scroll-mt-20 scroll-mb-4">
      {children}
    </div>
  );
}
