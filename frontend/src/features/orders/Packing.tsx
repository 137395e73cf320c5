import { useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Box, Check, Truck } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useState } from "react";
import { counted, formatCount, formatWeight } from "@/shared/lib/format";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { pathTo } from "@/shared/lib/paths";
import { parseWeight, WEIGHT_HINT, weightText } from "@/shared/lib/weight";
import { outbox, useWaiting } from "@/shared/outbox/theOutbox";
import { type Unsent, wireOf } from "@/shared/outbox/unsent";
import { useScanner } from "@/shared/scanner/scans";
import { Button } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { lotConditionNames } from "@/shared/ui/Lot";
import { lateFocus } from "@/shared/ui/lateFocus";
import { Notice } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { useControl } from "@/shared/ui/useControl";
import type { Order, OrderLine } from "./model";
import { type OrderAct, STALE_ORDERS } from "./mutations";
import { orderQueries } from "./queries";
import { weighing } from "./weighing";

/** What the packaging weighs, as it was typed last in this browser. */
const BOX = "packing_box";

/** The form that the button in the head of the page submits. */
const STEP_FORM = "order-step";

type Props = {
  order: Order;
  lines: readonly OrderLine[];
  busy: boolean;
  run: (act: OrderAct) => void;
};

/** Checks lines by scan or key, weighs, packs: Enter alone packs where everything is there. */
export function Packing(props: Omit<Props, "busy">) {
  const { order, lines } = props;
  const checks = useChecks(props);
  const weights = useWeights(order);
  const { missed } = checks;
  const found =
    weights.weighed &&
    weighing({
      expected: order.expected_grams === null ? null : Number(order.expected_grams),
      box: Number(weights.packaging ?? 0),
      weighed: Number(weights.weighed),
      unweighed: order.pieces_without_weight,
      lines,
    });

  return (
    <section
      aria-label="Pack"
      className="rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <Head order={order} left={checks.left} />
      {order.short > 0 && (
        <div className="mt-2">
          <Notice tone="warning" title={`${counted(order.short, "piece")} missing`}>
            {missingNames(lines)}. The packing slip leaves out what they cost; Refund opens with the
            sum.
          </Notice>
        </div>
      )}
      <PackForm {...props} {...{ checks, weights }} />
      {missed !== null && (
        <Notice tone="danger" title={`${missed} is not among the lots to check`}>
          Is it in the right tray?
        </Notice>
      )}
      {checks.asked.length > 1 && (
        <Notice
          tone="info"
          title={`Which ${checks.asked[0]?.item_number}?`}
          actions={checks.asked.map((line) => (
            <Button key={line.id} size="sm" onClick={() => checks.check(line, true)}>
              {`${formatCount(line.picked)} × ${line.color_name || line.item_name}, ${lotConditionNames[line.condition]}`}
            </Button>
          ))}
        >
          Several lots to check have this number.
        </Notice>
      )}
      {found && (
        <div className="mt-2" role="status">
          <Notice quiet tone={found.tone}>
            {found.text}
          </Notice>
        </div>
      )}
      <ul aria-label="Lots to check" className="mt-3 grid gap-2 sm:grid-cols-2 2xl:grid-cols-3">
        {checks.sent.map((line) => (
          <li key={line.id}>
            <CheckRow
              line={line}
              checked={line.is_checked}
              onChange={(checked) => checks.check(line, checked)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const missingNames = (lines: readonly OrderLine[]) =>
  lines
    .filter(({ short }) => short > 0)
    .map((line) => `${formatCount(line.short)} × ${line.item_name} ${line.color_name}`.trim())
    .join(", ");

/** The lines that are sent, and which of them are checked; a scan checks one. */
function useChecks({ order, lines }: Pick<Props, "order" | "lines">) {
  const sent = useCheckedLines(order.id, lines).filter(({ picked }) => picked > 0);
  const [missed, setMissed] = useState<string | null>(null);
  /** The lines that a number may mean. */
  const [asked, setAsked] = useState<readonly number[]>([]);
  const left = sent.filter((line) => !line.is_checked);
  const check = (line: OrderLine, checked: boolean) => {
    setMissed(null);
    setAsked([]);
    putCheck(order, line, checked).catch(tellFailure);
  };
  const scan = (text: string) => {
    const code = text.trim().toLocaleLowerCase();
    const meant = left.filter(({ item_number }) => item_number.toLocaleLowerCase() === code);
    const [line, other] = meant;
    if (line && !other) return check(line, true);
    setAsked(meant.map(({ id }) => id));
    setMissed(line ? null : text.trim());
  };
  useScanner(scan);
  return { sent, left, check, scan, missed, asked: left.filter(({ id }) => asked.includes(id)) };
}

function useWeights(order: Order) {
  const grams = useControl(() => weightText(order.weighed_grams));
  const [box, setBox] = useState(() => getSetting<string>(BOX, { fallback: "" }) ?? "");
  const onBox = (text: string) => {
    setBox(text);
    setSetting(BOX, text);
  };
  const [weighed, packaging] = [parseWeight(grams.value), parseWeight(box)];
  const problem =
    (weighed === undefined && "The weight cannot be read") ||
    (packaging === undefined && "The packaging's weight cannot be read");
  return { grams, box: { value: box, onChange: onBox }, weighed, packaging, problem };
}

function Head({ order, left }: { order: Order; left: readonly OrderLine[] }) {
  const pieces = left.reduce((sum, { picked }) => sum + picked, 0);
  const unweighed = order.pieces_without_weight;
  return (
    <div className="flex flex-wrap items-center gap-4">
      {order.tray && (
        <span className="flex size-20 shrink-0 items-center justify-center rounded-card bg-ink font-bold text-5xl text-canvas">
          <span className="sr-only">Tray </span>
          {order.tray}
        </span>
      )}
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold text-lg">
          {left.length === 0
            ? "Everything is checked"
            : `Check ${counted(left.length, "lot")}, ${counted(pieces, "piece")}`}
        </h2>
        <p className="text-muted text-sm">
          {order.expected_grams === null
            ? "Its weight is not known."
            : `Its pieces weigh ${formatWeight(order.expected_grams)}${
                unweighed > 0 ? `, ${counted(unweighed, "piece")} without a known weight` : ""
              }.`}
        </p>
      </div>
    </div>
  );
}

function PackForm(
  props: Omit<Props, "busy"> & {
    checks: ReturnType<typeof useChecks>;
    weights: ReturnType<typeof useWeights>;
  },
) {
  const { order, run, checks, weights } = props;
  const missing = order.short;
  const { weighed, packaging, problem } = weights;
  const [typed, setTyped] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // One key packs only where nothing is missing.
    if (typed.trim() || missing > 0) event.preventDefault();
    if (!typed.trim()) return;
    checks.scan(typed);
    setTyped("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!problem) run({ kind: "pack", body: weighed ? { weighed_grams: weighed } : {} });
  };
  const weight = (label: string, grams: typeof weighed, field: typeof weights.box) => (
    <InputField
      label={label}
      className="w-28"
      error={grams === undefined && WEIGHT_HINT}
      inputMode="decimal"
      placeholder="0 g"
      {...field}
    />
  );
  return (
    <form id={STEP_FORM} onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-2">
      <InputField
        label="Scan or type a number"
        className="min-w-40 flex-1"
        // One key where nothing is missing: Enter packs.
        ref={lateFocus}
        value={typed}
        onChange={setTyped}
        onKeyDown={onKeyDown}
        placeholder="3001"
        autoComplete="off"
        enterKeyHint="go"
      />
      {weight("Weighed", weighed, weights.grams)}
      {weight("Packaging", packaging, weights.box)}
    </form>
  );
}

/** Packs by the form below it. */
export function PackButton({ order, lines, busy }: Omit<Props, "run">) {
  const left = useCheckedLines(order.id, lines).some((line) => line.picked > 0 && !line.is_checked);
  return (
    <Button
      type="submit"
      form={STEP_FORM}
      variant="primary"
      loading={busy}
      disabledReason={lines.length === 0 && "Loading"}
      icon={Box}
    >
      {order.short > 0
        ? `Packed without ${counted(order.short, "piece")}`
        : left
          ? "All here: packed"
          : "Packed"}
    </Button>
  );
}

function CheckRow(props: {
  line: OrderLine;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { line, checked, onChange } = props;
  return (
    <label
      className={clsx(
        "flex h-full w-full cursor-pointer items-center has-focus-visible:outline-2 has-focus-visible:outline-accent gap-3 rounded-control border p-2 text-left",
        checked ? "border-success bg-success-tint" : "border-line hover:bg-hover",
      )}
    >
      <input
        type="checkbox"
        className="sr-only"
        checked={checked}
        onChange={() => onChange(!checked)}
      />
      <ItemImage
        src={line.image_url}
        type="PART"
        name={line.item_name || line.item_number}
        colorName={line.color_name}
        colorHtml={line.color_html}
        size="md"
      />
      <span className="min-w-0 flex-1">
        <span className="block font-bold text-2xl tabular-nums">{formatCount(line.picked)}</span>
        <span className="wrap-anywhere block text-sm">
          {line.item_name} <span className="text-muted">{line.color_name}</span>
        </span>
        <span className="block text-muted text-xs">
          <span className="font-mono">{line.item_number}</span>, {lotConditionNames[line.condition]}
          {line.short > 0 && (
            <span className="text-danger">, {formatCount(line.short)} missing</span>
          )}
        </span>
      </span>
      <span
        aria-hidden="true"
        className={clsx(
          "flex size-7 shrink-0 items-center justify-center rounded-full border",
          checked ? "border-success bg-success text-on-accent" : "border-edge",
        )}
      >
        {checked && <Check className="size-4" />}
      </span>
    </label>
  );
}

/** The tracking number and Enter: on its way. */
export function Shipping(props: { order: Order; run: (act: OrderAct) => void }) {
  const { order, run } = props;
  const tracking = useControl(order.tracking_number);
  return (
    <section
      aria-label="Ship"
      className="rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <h2 className="font-semibold text-lg">Ready to ship</h2>
      <p className="text-muted text-sm">
        {order.weighed_grams
          ? `Weighed: ${formatWeight(order.weighed_grams)}.`
          : "The parcel was not weighed."}
        {order.shipping_method && ` By ${order.shipping_method}.`}
      </p>
      <form
        id={STEP_FORM}
        className="mt-3 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          run({ kind: "ship", body: { tracking_number: tracking.value.trim() } });
        }}
      >
        <InputField
          label="Tracking number (optional)"
          className="w-72 max-w-full"
          autoFocus
          maxLength={100}
          autoComplete="off"
          enterKeyHint="go"
          {...tracking}
        />
      </form>
    </section>
  );
}

/** Ships by the form below it. */
export const ShipButton = ({ busy }: { busy: boolean }) => (
  <Button type="submit" form={STEP_FORM} variant="primary" loading={busy} icon={Truck}>
    Shipped
  </Button>
);

/** What was checked while packing and is not stored yet. */
type PutCheck = { order: number; line: number; checked: boolean };

const CHECKS = "checks";
const checkOf = ({ about }: Unsent) => about as PutCheck; // as put below

function putCheck(order: Order, line: OrderLine, checked: boolean): Promise<unknown> {
  const name = `${line.item_name || line.item_number} ${line.color_name}`.trim();
  return outbox.post([
    {
      ...wireOf("post", "orders/{id}/check", {
        path: { id: order.id },
        body: { line_ids: [line.id], checked },
      }),
      kind: CHECKS,
      rows: [`order ${order.id}`, `order ${order.id} line ${line.id}`],
      words: `${checked ? "Check" : "Uncheck"} ${name} of order ${order.number}`,
      to: pathTo("orders", { order: order.id }),
      stale: STALE_ORDERS,
      about: { order: order.id, line: line.id, checked } satisfies PutCheck,
    },
  ]);
}

/** The lines as they are with what is not stored yet. A refused check is none. */
function useCheckedLines(order: number, lines: readonly OrderLine[]): readonly OrderLine[] {
  const client = useQueryClient();
  const waiting = useWaiting(CHECKS).map(checkOf);
  // Until the lines are read again a stored check must not go.
  useEffect(
    () =>
      outbox.onOutcome(CHECKS, ({ request, data }) => {
        const { order: id, line, checked } = checkOf(request);
        if (!data) return;
        client.setQueryData(orderQueries.lines(id).queryKey, (rows) =>
          rows?.map((row) => (row.id === line ? { ...row, is_checked: checked } : row)),
        );
      }),
    [client],
  );
  const last = new Map(
    waiting.filter((one) => one.order === order).map(({ line, checked }) => [line, checked]),
  );
  return lines.map((line) => ({ ...line, is_checked: last.get(line.id) ?? line.is_checked }));
}
