import { clientStore, useClientState } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import type { LotMark, LotView } from "./lotView";

const choices = [
  ["options.highlight", "Highlight"],
  ["options.showLowValueLots", "Show low value lots"],
  ["options.hideExistingBatchItemLots", "Hide existing batch item lots"],
  ["options.completeMinifigs", "Complete minifigs"],
] as const;

/** The edge of a marked lot. Its meaning is also given in words beside the colour's name. */
const markStyles: Record<LotMark, { edge: string; text: string }> = {
  owned: { edge: "bg-success", text: "in my inventory" },
  inBatch: { edge: "bg-info", text: "in this batch" },
  valuable: { edge: "bg-warning", text: "high value" },
  needed: { edge: "bg-(--type-book)", text: "needed by a set" },
};

/** The four options of the colour lots, and what the edges mean. */
export function LotOptions() {
  return (
    <div className="flex flex-col gap-2">
      <LotChoices />
      <MarkLegend />
    </div>
  );
}

export function LotChoices() {
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="sr-only">Which colours are shown</legend>
      {choices.map(([path, label]) => (
        <Choice key={path} path={path} label={label} />
      ))}
    </fieldset>
  );
}

/** What the edges mean; nothing while lots are not marked. */
export function MarkLegend() {
  const highlight = useClientState("options.highlight");
  if (!highlight) return null;
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {Object.entries(markStyles).map(([mark, { edge, text }]) => (
        <li key={mark} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`h-3.5 w-1 rounded-full ${edge}`} />
          {text}
        </li>
      ))}
    </ul>
  );
}

/** How many lots each option hides, and a click that shows them. */
export function HiddenLots(hidden: Pick<LotView, "lowValueHidden" | "inBatchHidden">) {
  return (
    <>
      <Hidden
        count={hidden.lowValueHidden}
        what="low value"
        onShow={() => clientStore.set("options.showLowValueLots", true)}
      />
      <Hidden
        count={hidden.inBatchHidden}
        what="existing"
        onShow={() => clientStore.set("options.hideExistingBatchItemLots", false)}
      />
    </>
  );
}

/** The edges of a marked lot, in words for who does not see them. */
export function MarkEdges({ marks }: { marks: readonly LotMark[] }) {
  if (marks.length === 0) return null;
  return (
    <span className="flex gap-0.5">
      {marks.map((mark) => (
        <span key={mark} className={`h-6 w-1 rounded-full ${markStyles[mark].edge}`}>
          <span className="sr-only">{markStyles[mark].text}</span>
        </span>
      ))}
    </span>
  );
}

function Choice({ path, label }: { path: (typeof choices)[number][0]; label: string }) {
  const on = useClientState(path);
  return (
    <CheckField label={label} value={on} onChange={(checked) => clientStore.set(path, checked)} />
  );
}

function Hidden(props: { count: number; what: string; onShow: () => void }) {
  const { count, what, onShow } = props;
  if (count === 0) return null;
  return (
    <p className="flex items-center gap-2 text-muted text-xs">
      {count} {what} {count === 1 ? "lot" : "lots"} hidden
      <Button size="sm" variant="ghost" onClick={onShow}>
        Show
      </Button>
    </p>
  );
}
