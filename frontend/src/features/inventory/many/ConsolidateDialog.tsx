import { type MutationMeta, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import { isJob, notJob } from "@/shared/api/startedJobs";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { counted, formatCount, formatDate, formatMoney } from "@/shared/lib/format";
import { STOCK } from "@/shared/lib/tags";
import { priceText } from "@/shared/lib/worth";
import { Badge } from "@/shared/ui/Badge";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { ColorName, ConditionTag } from "@/shared/ui/Lot";
import { EmptyState, Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { useTellAct } from "../acts";
import type { ChosenRows, InventoryItem } from "../model";
import { rowsIn } from "../rules";

const FIRST: ConsolidationOptions = {
  target: "fullest",
  chosen: [],
  modes: {},
  count_unpriced: false,
  emptied: "zero",
};

/** Consolidates rows of the same lot, after a preview. */
export function ConsolidateDialog(props: {
  rows: ChosenRows;
  onClose: () => void;
  onDone?: () => void;
}) {
  const { rows, onClose, onDone } = props;
  const [options, setOptions] = useState(FIRST);
  const reason = useControl("");
  const asked = reason.value.trim()
    ? { ...options, override_reason: reason.value.trim() }
    : options;
  const preview = useConsolidationPreview(rows, options);
  const mutation = useConsolidate({ tellsFailure: true });
  const tell = useTellAct();
  const shown = preview.result;
  const full = shown?.groups.some(({ code }) => code === "CAPACITY_EXCEEDED") ?? false;
  const count = shown ? shown.group_count - refusedIn(shown, reason.value) : 0;
  const change = (some: Partial<ConsolidationOptions>) =>
    setOptions((before) => ({ ...before, ...some }));

  const act = () =>
    mutation.mutate(
      { rows, options: asked, mark: shown?.mark ?? "" },
      {
        onSuccess: (done) => {
          if (!isJob(done)) {
            const stayed = done.refused.length;
            tell(
              `${counted(done.group_count, "lot")} consolidated${stayed ? `, ${formatCount(stayed)} stayed as they were` : ""}`,
              done.act_id,
            );
          }
          onDone?.();
          onClose();
        },
        onError: preview.retry,
      },
    );

  return (
    <PreviewedActDialog
      onClose={onClose}
      title="Consolidate"
      description="Rows that agree in item, colour, condition and sub-condition become one."
      size="xl"
      act={count > 0 ? `Consolidate ${counted(count, "lot")}` : "Consolidate"}
      pending={mutation.isPending}
      onAct={act}
      preview={preview}
      idle={() => count <= 0 && "Nothing here can be consolidated"}
      show={(consolidation) =>
        consolidation === null || consolidation.group_count === 0 ? (
          <NothingToDo />
        ) : (
          <>
            <Shown shown={consolidation} options={options} onChange={change} />
            {full && (
              <InputField
                label="Reason to pass the limits"
                hint="Without one, lots that do not fit stay as they are."
                {...reason}
              />
            )}
          </>
        )
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <ChoiceField
          label="All goes into"
          value={options.target}
          onChange={(value) => change({ target: value, chosen: [] })}
          options={targets}
        />
        <ChoiceField
          label="Rows that are emptied"
          value={options.emptied}
          onChange={(value) => change({ emptied: value })}
          options={[
            { value: "zero", label: "Stay with quantity 0" },
            { value: "delete", label: "Are deleted" },
          ]}
        />
      </div>
      <details className="rounded-control border border-line">
        <summary className="cursor-pointer px-3 py-2 font-medium">
          What happens to each field
        </summary>
        <div className="grid grid-cols-2 gap-3 px-3 pb-3 sm:grid-cols-3">
          {fields.map(({ name, label, modes }) => (
            <ChoiceField
              key={name}
              label={label}
              value={(options.modes as Record<string, string>)[name] ?? modes[0]}
              onChange={(value) => change({ modes: { ...options.modes, [name]: value } })}
              options={modeOptions(modes)}
            />
          ))}
        </div>
      </details>
    </PreviewedActDialog>
  );
}

function refusedIn(shown: Consolidation, reason: string): number {
  return shown.groups.filter(
    ({ code }) => code !== null && (code !== "CAPACITY_EXCEEDED" || !reason.trim()),
  ).length;
}

function Shown(props: {
  shown: Consolidation;
  options: ConsolidationOptions;
  onChange: (some: Partial<ConsolidationOptions>) => void;
}) {
  const { shown, options, onChange } = props;
  const unpriced = shown.groups.reduce((sum, group) => sum + group.unpriced, 0);
  return (
    <div className="flex flex-col gap-3">
      {unpriced > 0 && (
        <Notice tone="warning" title={`${rowsIn(unpriced)} without a price beside priced ones`}>
          <CheckField
            label="Count them as 0 in the average"
            value={options.count_unpriced}
            onChange={(checked) => onChange({ count_unpriced: checked })}
          />
        </Notice>
      )}
      {shown.groups.map((group) => (
        <Group
          key={Math.min(group.target.id, ...group.sources.map(({ id }) => id))}
          group={group}
          onChoose={(id) =>
            onChange({
              chosen: [
                ...options.chosen.filter((one) => !rowsOf(group).some((row) => row.id === one)),
                id,
              ],
            })
          }
        />
      ))}
      {shown.group_count > shown.groups.length && (
        <p className="text-muted text-sm">
          And {formatCount(shown.group_count - shown.groups.length)} more lots, by the same rules.
        </p>
      )}
    </div>
  );
}

const rowsOf = (group: ConsolidationGroup): InventoryItem[] =>
  [group.target, ...group.sources].sort((one, other) => one.id - other.id);

function Group({ group, onChoose }: { group: ConsolidationGroup; onChoose: (id: number) => void }) {
  const { target, quantity, price, message, changes } = group;
  const changed = changedWords(changes);
  return (
    <fieldset className="rounded-control border border-line p-3">
      <legend className="px-1 font-medium">
        <span className="font-mono text-muted text-xs">{target.item_number}</span>{" "}
        {target.part_name}
      </legend>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <ColorName name={target.color_name} html={target.color_html} />
        <ConditionTag condition={target.condition} />
        <span className="tabular-nums">
          → {formatCount(quantity)} at {formatMoney(price)} in {target.location_name ?? "no bin"}
        </span>
        {changed && <span className="text-muted">changes: {changed}</span>}
      </div>
      {message && <p className="mb-2 text-danger text-sm">{message} It stays as it is.</p>}
      <ul className="flex flex-col gap-1">
        {rowsOf(group).map((row) => (
          <li key={row.id}>
            <label className="flex cursor-pointer flex-wrap items-center gap-x-3 rounded-control px-2 py-1 text-sm hover:bg-hover">
              <input
                type="radio"
                className="size-4 accent-(--accent)"
                checked={row.id === target.id}
                onChange={() => onChoose(row.id)}
                aria-label={`Into ${row.location_name ?? "no bin"}, ${row.quantity} pieces`}
              />
              <span className="min-w-24 font-medium">{row.location_name ?? "no bin"}</span>
              <span className="w-16 text-right tabular-nums">{formatCount(row.quantity)}</span>
              <span className="w-20 text-right tabular-nums">{priceText(row.price)}</span>
              <span className="text-muted">{formatDate(row.createdAt)}</span>
              {row.id === target.id && <Badge tone="success">takes all</Badge>}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function NothingToDo() {
  return (
    <EmptyState title="Nothing to consolidate">
      No two of these rows with pieces agree in item, colour, condition and sub-condition.
    </EmptyState>
  );
}

// Consolidating as the wire spells it. apps/inventory/rules/consolidation.py decides.
const LONG = { timeoutMs: 120_000 };

type ConsolidationGroup = Schema<"ConsolidatedGroup">;

type Consolidation = Schema<"ConsolidatedRow">;

type ConsolidationOptions = Omit<
  BodyOf<"post", "inventoryItems/consolidate">,
  "ids" | "filter" | "dry_run" | "mark" | "modes" | "chosen"
> &
  Required<Pick<BodyOf<"post", "inventoryItems/consolidate">, "modes" | "chosen">>;

const targets = [
  { value: "fullest", label: "The row with most pieces" },
  { value: "most_free", label: "The bin with most room" },
  { value: "newest", label: "The newest row" },
] as const;

const modeLabels = {
  average: "Average by quantity",
  highest: "Highest",
  keep: "Keep the target's",
  fill: "Fill where empty",
  text: "Join the texts",
} as const;
type Mode = keyof typeof modeLabels;

/** What is offered for each field; the first is the default. */
const fields: readonly { name: string; label: string; modes: readonly Mode[] }[] = [
  { name: "price", label: "Price", modes: ["average", "highest", "keep"] },
  { name: "cost", label: "Cost", modes: ["average", "highest", "keep"] },
  { name: "tiers", label: "Tier prices", modes: ["average", "keep"] },
  { name: "comments", label: "Comments", modes: ["text", "fill", "keep"] },
  { name: "remarks", label: "Remarks", modes: ["text", "fill", "keep"] },
  { name: "bulk", label: "Bulk", modes: ["fill", "keep"] },
  { name: "sale", label: "Sale", modes: ["fill", "keep"] },
  { name: "reserved", label: "Reserved", modes: ["fill", "keep"] },
  { name: "retain", label: "Retain", modes: ["fill", "keep"] },
  { name: "stockroom", label: "Stockroom", modes: ["keep", "fill"] },
];

const modeOptions = (modes: readonly Mode[]) =>
  modes.map((mode) => ({ value: mode, label: modeLabels[mode] }));

const changeLabels: Record<string, string> = Object.fromEntries(
  fields.map(({ name, label }) => [name, label]),
);

/** The fields of the target that change, in words: "Price, Comments". */
function changedWords(changes: Record<string, unknown>): string {
  const names = Object.keys(changes).map((name) =>
    /^t[qp]\d$/.test(name) ? "Tier prices" : (changeLabels[name] ?? name.replaceAll("_", " ")),
  );
  return [...new Set(names)].join(", ");
}

/** Null where no row is unconsolidated: a filter that matches nothing is refused. */
const useConsolidationPreview = (rows: ChosenRows, options: ConsolidationOptions) =>
  usePreview(["consolidation"], { ...rows, ...options }, async (asked, signal) => {
    const body = { ...asked, dry_run: true };
    try {
      const answer = one(await api.ask("inventoryItems/consolidate", { body, ...LONG, signal }));
      return notJob<Consolidation>(answer);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400 && "filter" in error.fields)
        return null;
      throw error;
    }
  });

function useConsolidate(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STOCK, ...meta },
    mutationFn: async (input: { rows: ChosenRows; options: ConsolidationOptions; mark: string }) =>
      one(
        await api.post("inventoryItems/consolidate", {
          body: { ...input.rows, ...input.options, mark: input.mark },
          ...LONG,
        }),
      ),
  });
}
