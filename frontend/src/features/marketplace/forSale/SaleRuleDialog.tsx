import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextField } from "@/shared/form/fields";
import { fits, fitsTogether } from "@/shared/form/fits";
import { usePreview } from "@/shared/form/usePreview";
import { useZodForm } from "@/shared/form/useZodForm";
import {
  numberOf,
  numberOrNull,
  optionally,
  priceOf,
  wholeOf,
  whyNotPrice,
  whyNotWhole,
} from "@/shared/lib/amounts";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { numberText } from "@/shared/lib/numbers";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Checkbox } from "@/shared/ui/Checkbox";
import { InputField } from "@/shared/ui/Field";
import { LoadingDialog } from "@/shared/ui/LoadingDialog";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import {
  type At,
  bodyOf,
  forSaleQueries,
  previewRule,
  type SaleRule,
  type SaleRuleBody,
  useSaveRule,
} from "./queries";

const MOST = 10_000;
const amount = z.string().check(fits(optionally(whyNotPrice)));

function whyNotPercent(text: string): string | null {
  const percent = Number(numberOf(text));
  return percent >= 1 && percent <= 1000 ? null : "From 1 to 1,000.";
}

function whyNotRate(text: string): string | null {
  return Number(numberOf(text)) > 0 ? null : "More than 0.";
}

const schema = z
  .object({
    types: z.array(z.string()),
    categories: z.array(z.number()),
    stockrooms: z.array(z.string()),
    marker: z.string(),
    least: amount,
    most: amount,
    last: z.enum(["all", "keep_back", "least_pieces"]),
    pieces: z.string().check(fits((text) => whyNotWhole(text, 1, MOST))),
    percent: z.string().check(fits(whyNotPercent)),
    rounding: z.string(),
    currency: z.string(),
    rate: z.string().check(fits(whyNotRate)),
  })
  .check(
    fitsTogether("currency", ({ currency, rate }) =>
      Number(numberOf(rate)) !== 1 && currency.trim() === "" ? "Name its currency." : null,
    ),
    fitsTogether("most", ({ least, most }) =>
      most.trim() !== "" && Number(priceOf(most)) < Number(priceOf(least))
        ? "At least the lowest value."
        : null,
    ),
  );

type Values = z.infer<typeof schema>;

const roundings = ["0.0001", "0.001", "0.01", "0.05", "0.1", "1"].map((value) => ({
  value,
  label: value === "0.0001" ? "Not rounded" : `To ${formatMoney(value)}`,
}));

const lastPieces = [
  { value: "all", label: "All pieces are for sale here" },
  { value: "keep_back", label: "The last pieces of a lot are kept back" },
  { value: "least_pieces", label: "Small lots are not for sale here" },
];

function valuesOf(rule: SaleRule): Values {
  const isKept = rule.keep_back > 0;
  return {
    types: [...rule.left_out_types],
    categories: [...rule.left_out_categories],
    stockrooms: [...rule.left_out_stockrooms],
    marker: rule.left_out_marker,
    least: numberText(rule.least_value),
    most: numberText(rule.most_value),
    last: isKept ? "keep_back" : rule.least_pieces > 1 ? "least_pieces" : "all",
    pieces: String(isKept ? rule.keep_back : Math.max(rule.least_pieces, 1)),
    percent: numberText(rule.percent),
    rounding: rule.rounding,
    currency: rule.currency,
    rate: numberText(rule.rate),
  };
}

function ruleOf(values: Values): SaleRuleBody {
  const pieces = wholeOf(values.pieces);
  return {
    left_out_types: values.types as SaleRuleBody["left_out_types"],
    left_out_categories: values.categories,
    left_out_stockrooms: values.stockrooms as SaleRuleBody["left_out_stockrooms"],
    left_out_marker: values.marker.trim(),
    least_value: numberOrNull(values.least),
    most_value: numberOrNull(values.most),
    least_pieces: values.last === "least_pieces" ? pieces : 1,
    keep_back: values.last === "keep_back" ? pieces : 0,
    percent: numberOf(values.percent),
    currency: values.currency.trim().toUpperCase() as SaleRuleBody["currency"],
    rate: numberOf(values.rate),
    rounding: values.rounding as SaleRuleBody["rounding"],
  };
}

const lots = (count: number) => `${formatCount(count)} ${count === 1 ? "lot" : "lots"}`;

/** What is for sale at one marketplace and for how much, with the numbers before it is saved. */
export function SaleRuleDialog({ at, onClose }: { at: At; onClose: () => void }) {
  const rule = useQuery(forSaleQueries.rule(at));
  if (!rule.data) {
    return <LoadingDialog title="What is for sale here" query={rule} onClose={onClose} />;
  }
  return <RuleForm key={rule.data.marketplace} at={at} rule={rule.data} onClose={onClose} />;
}

function RuleForm({ at, rule, onClose }: { at: At; rule: SaleRule; onClose: () => void }) {
  const save = useSaveRule(at);
  const form = useZodForm<Values>({
    schema,
    defaultValues: valuesOf(rule),
    onSubmit: async (values) => {
      await save.mutateAsync(ruleOf(values));
      toast.success(`What is for sale at ${rule.marketplace_name} is saved`, {
        detail: "The next sync sends it.",
        action: { label: "Undo", run: () => save.mutateAsync(bodyOf(rule)) },
      });
      onClose();
    },
  });
  const values = form.watch();
  const [last, ids] = [values.last, values.categories];
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      size="lg"
      title={`What is for sale at ${rule.marketplace_name}`}
      description="Without a rule all of your stock is, at your own prices."
      submitLabel="Save"
    >
      <Numbers at={at} rule={rule} values={values} />
      <Group title="Not for sale here">
        <Ticks title="Item types">
          {itemTypes.map((type) => (
            <Checkbox
              key={type}
              label={itemTypeNames[type]}
              value={type}
              {...form.register("types")}
            />
          ))}
        </Ticks>
        <CategoryPicker
          ids={ids}
          onChange={(chosen) => form.setValue("categories", chosen, { shouldDirty: true })}
        />
        <Ticks title="Stockrooms">
          {["A", "B", "C"].map((room) => (
            <Checkbox
              key={room}
              label={`Stockroom ${room}`}
              value={room}
              {...form.register("stockrooms")}
            />
          ))}
        </Ticks>
        <TextField
          form={form}
          name="marker"
          label="Lots with this marker"
          hint="As your file or program marks them."
        />
        <TextField
          form={form}
          name="least"
          label="Lots worth less than"
          placeholder="no limit"
          numeric
        />
        <TextField
          form={form}
          name="most"
          label="Lots worth more than"
          placeholder="no limit"
          numeric
        />
      </Group>
      <Group title="The last pieces">
        <SelectField form={form} name="last" label="Of each lot" options={lastPieces} />
        {last !== "all" && (
          <TextField
            form={form}
            name="pieces"
            label={last === "keep_back" ? "Pieces kept back" : "At least this many pieces"}
            numeric
          />
        )}
        <Risk rule={rule} />
      </Group>
      <Group title="Prices here">
        <TextField
          form={form}
          name="percent"
          label="Percent of your price"
          hint="110 asks a tenth more."
          numeric
        />
        <SelectField form={form} name="rounding" label="Rounded" options={roundings} />
        <TextField
          form={form}
          name="currency"
          label="Currency here"
          hint={`Only where it is not ${rule.own_currency}.`}
          placeholder={rule.own_currency}
        />
        {values.currency.trim() !== "" && (
          <TextField
            form={form}
            name="rate"
            label={`What 1 ${rule.own_currency} is there`}
            hint="Change it when the rate moves."
            numeric
          />
        )}
      </Group>
    </FormDialog>
  );
}

/** In figures what the rule makes of the stock, with the largest changes of prices. */
function Numbers({ at, rule, values }: { at: At; rule: SaleRule; values: Values }) {
  const body = schema.safeParse(values).success ? ruleOf(values) : null;
  const { result, error, isStale } = usePreview(["saleRule", at], body, (asked, signal) =>
    previewRule(at, asked, signal),
  );
  if (error) return <Notice tone="danger">{problemText(error)}</Notice>;
  const sale = result?.for_sale ?? rule.for_sale;
  const currency = values.currency.trim().toUpperCase();
  return (
    <div aria-live="polite" aria-busy={isStale} className="flex flex-col gap-1 text-sm">
      <p>
        Of {lots(sale.of_lots)}, <strong>{formatCount(sale.lots)}</strong> are for sale here (
        {formatCount(sale.pieces)} pieces).
        {result && (result.leaving > 0 || result.joining > 0 || result.repriced > 0) && (
          <>
            {" "}
            By this change {lots(result.leaving)} leave, {lots(result.joining)} join and{" "}
            {lots(result.repriced)} get another price.
          </>
        )}
      </p>
      {sale.examples.length > 0 && (
        <ul className="text-muted text-xs">
          {sale.examples.slice(0, 3).map(({ name, price, price_there }) => (
            <li key={`${name} ${price}`}>
              {name}: {formatMoney(price, rule.own_currency)} →{" "}
              {formatMoney(price_there, currency || rule.own_currency)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How likely a last piece is sold twice, in figures. */
function Risk({ rule }: { rule: SaleRule }) {
  const { single_lots: single, close_orders: close, orders, minutes } = rule;
  if (single === 0 && close === 0) return null;
  return (
    <p className="text-muted text-xs sm:col-span-2">
      The last piece of {lots(single)} is for sale at several marketplaces.
      {orders > 0 &&
        ` Of your last ${formatCount(orders)} orders, ${formatCount(close)} (${((100 * close) / orders).toFixed(1)} %) came within ${minutes} minutes of one at another marketplace: only then the same piece can be sold twice.`}
    </p>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">{title}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

function Ticks({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm">{title}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 text-sm">{children}</div>
    </fieldset>
  );
}

/** Categories to tick: the ticked ones first, then those that a search finds. */
function CategoryPicker(props: { ids: readonly number[]; onChange: (ids: number[]) => void }) {
  const { ids, onChange } = props;
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const chosen = useSideQuery(forSaleQueries.chosen(ids), "the chosen categories") ?? [];
  const found = useSideQuery(
    { ...forSaleQueries.found(search), enabled: search !== "" },
    "the categories",
  );
  const others = search === "" ? [] : (found ?? []).filter(({ id }) => !ids.includes(id));
  return (
    <div className="flex flex-col gap-2">
      <InputField
        label="Categories"
        hint={ids.length === 0 ? "Search by name, then tick." : undefined}
        type="search"
        value={text}
        onChange={setText}
      />
      <div className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {[...chosen.filter(({ id }) => ids.includes(id)), ...others].map(({ id, path }) => (
          <Checkbox
            key={id}
            label={path}
            checked={ids.includes(id)}
            onChange={() =>
              onChange(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
            }
          />
        ))}
      </div>
    </div>
  );
}
