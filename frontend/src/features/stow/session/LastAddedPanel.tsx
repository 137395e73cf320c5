import { CloudOff, Minus, Plus, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { counted, formatAgo, formatCount } from "@/shared/lib/format";
import { useClientState } from "@/shared/store/clientStore";
import { Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { Spinner } from "@/shared/ui/Spinner";
import { TypeTag } from "@/shared/ui/TypeTag";
import { type Lookup, progressText } from "../add/lookups";
import { askedText } from "../find/card";
import type { Row } from "./session";

/** Shown between two items: the last added row, and the keys that change it. */
export function LastAddedPanel(props: {
  row: Row | null;
  now: number;
  onChange: (by: 1 | -1) => void;
  onUndo: () => void;
}) {
  const { row, now, onChange, onUndo } = props;
  const last = useClientState("lastBatchItemAdded");
  if (!last) return null;
  return (
    <Panel acts={row && <Acts onChange={onChange} onUndo={onUndo} />}>
      <ItemImage
        src={row?.draft.imageUrl}
        type={last.itemType}
        name={last.itemName}
        colorName={last.color}
        colorHtml={row?.draft.colorHtml}
        size="lg"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-bold text-2xl tabular-nums">{formatCount(last.quantity)} ×</span>
          <span className="break-all font-bold text-2xl tabular-nums tracking-tight">
            {last.itemNumber}
          </span>
          <TypeTag type={last.itemType} />
        </p>
        <p className="text-base">{last.itemName}</p>
        <p className="font-semibold">{last.color}</p>
        <p className="text-muted text-sm">
          {last.batchName} has {counted(last.totalItemsAdded, "piece")} now ·{" "}
          <time dateTime={last.timestamp}>{formatAgo(last.timestamp, now)}</time>
        </p>
      </div>
    </Panel>
  );
}

/** An add typed ahead: until its item is found, these keys change it instead of the row before. */
export function LookedUpPanel(props: {
  lookup: Lookup;
  onChange: (by: 1 | -1) => void;
  onUndo: () => void;
}) {
  const { lookup, onChange, onUndo } = props;
  const { ask, quantity, waiting } = lookup;
  return (
    <Panel acts={<Acts onChange={onChange} onUndo={onUndo} />}>
      <span className="flex size-32 shrink-0 items-center justify-center rounded-control border border-line bg-surface text-muted">
        {waiting ? <CloudOff aria-hidden="true" className="size-8" /> : <Spinner />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2 font-bold text-2xl tabular-nums">
          <span>{formatCount(quantity)} ×</span>
          <span className="break-words tracking-tight">{askedText(ask.card)}</span>
        </p>
        <p className="text-muted">{progressText(lookup)}</p>
        <p className="text-muted text-sm">in {ask.batch.name}</p>
      </div>
    </Panel>
  );
}

function Panel({ acts, children }: { acts: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label="Last batch item added"
      className="flex flex-1 flex-col gap-4 rounded-card border border-line border-dashed p-4"
    >
      <h2 className="font-medium text-muted text-sm">Last added</h2>
      <div className="flex items-start gap-4">{children}</div>
      {acts}
    </section>
  );
}

function Acts({ onChange, onUndo }: { onChange: (by: 1 | -1) => void; onUndo: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <IconButton
        label="One less of the last"
        variant="secondary"
        size="lg"
        icon={<Minus aria-hidden="true" className="size-5" />}
        onClick={() => onChange(-1)}
      />
      <IconButton
        label="One more of the last"
        variant="secondary"
        size="lg"
        icon={<Plus aria-hidden="true" className="size-5" />}
        onClick={() => onChange(1)}
      />
      <Button
        size="lg"
        icon={<Undo2 aria-hidden="true" className="size-4" />}
        once
        onClick={onUndo}
      >
        Undo
      </Button>
      <p className="ml-2 text-muted text-sm pointer-coarse:hidden">
        <Kbd>+</Kbd> <Kbd>−</Kbd> for the same part again, <Kbd>Ctrl+Z</Kbd> undoes
      </p>
    </div>
  );
}
