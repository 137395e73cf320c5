import { useState } from "react";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { formatCount, formatMoney } from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { Field, Input, Select } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { ActFrame, type ActProps, figure, lots, nameColumn, textOf } from "./ActFrame";
import { percentOf, whyNotPercent } from "./amounts";

type By = "rule" | "percent" | "fixed";

const bases = [
  { value: "", label: "As in my settings" },
  { value: "reference", label: "Sold, else asked" },
  { value: "sold", label: "Average sold" },
  { value: "asked", label: "Average asked" },
  { value: "lowest", label: "Lowest asked" },
];
const steps = [
  { value: "", label: "As in my settings" },
  { value: "0", label: "Not rounded" },
  { value: "0.01", label: "0.01" },
  { value: "0.05", label: "0.05" },
  { value: "0.1", label: "0.10" },
];
const handSteps = steps.filter(({ value }) => value !== "");
const without = [
  { value: "", label: "As in my settings" },
  { value: "keep", label: "Keep their price" },
  { value: "zero", label: "Set it to 0" },
  { value: "mark", label: "Keep it and list them here" },
];

const given = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));

/** Other prices for many items: by the price rule, so much more or less, or one for all. */
export function RepriceDialog({ act }: { act: ActProps }) {
  const [by, setBy] = useState<By>("rule");
  const [price, setPrice] = useState("");
  const [percent, setPercent] = useState("");
  const [basis, setBasis] = useState("");
  const [rounding, setRounding] = useState("");
  const [handRounding, setHandRounding] = useState("0.01");
  const [minimum, setMinimum] = useState("");
  const [withoutData, setWithoutData] = useState("");
  const percentProblem = percent === "" && by === "rule" ? null : whyNotPercent(percent);
  const minimumProblem = minimum === "" ? null : whyNotPrice(minimum);
  const problem = by === "fixed" ? whyNotPrice(price) : (percentProblem ?? minimumProblem);
  const bounds = { percent: percentOf(percent), minimum: minimum && priceOf(minimum) };
  const options: Record<By, Record<string, string>> = {
    fixed: { price: priceOf(price) },
    percent: { ...bounds, rounding: handRounding },
    rule: { ...bounds, rounding, basis, without_data: withoutData },
  };
  return (
    <ActFrame
      act={act}
      verb="reprice"
      title={`Re-price ${lots(act.count)}`}
      description="Stowed items take their stock with them; listed ones are marked as changed."
      options={problem ? null : { by, ...given(options[by]) }}
      missing={problem ?? undefined}
      doLabel="Change prices"
      summary={(acted) => (
        <>
          {formatCount(figure(acted, "changed"))} prices change: value{" "}
          {formatMoney(figure(acted, "value_before").toFixed(2))} →{" "}
          {formatMoney(figure(acted, "value_after").toFixed(2))}
          {figure(acted, "without_data") > 0 &&
            `, ${formatCount(figure(acted, "without_data"))} without price data`}
        </>
      )}
      idle={(acted) => figure(acted, "changed") === 0}
      columns={[
        nameColumn,
        { header: "Now", align: "end", cell: (row) => formatMoney(textOf(row.before)) },
        { header: "Then", align: "end", cell: (row) => formatMoney(textOf(row.after)) },
        {
          header: "From",
          cell: (row) =>
            row.is_marked ? <Badge tone="warning">no data</Badge> : (row.found_by ?? ""),
        },
      ]}
    >
      <SegmentedControl
        label="How"
        value={by}
        onChange={setBy}
        options={[
          { value: "rule", label: "By the price rule" },
          { value: "percent", label: "± per cent" },
          { value: "fixed", label: "One price" },
        ]}
      />
      {by === "fixed" ? (
        <Field label="Price of one piece" error={price !== "" && whyNotPrice(price)}>
          <Input
            numeric
            autoFocus
            value={price}
            onChange={(event) => setPrice(event.target.value)}
            placeholder="0.12"
          />
        </Field>
      ) : (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {by === "rule" && (
            <Field label="Start from">
              <Select
                options={bases}
                value={basis}
                onChange={(event) => setBasis(event.target.value)}
              />
            </Field>
          )}
          <Field label="Per cent more (or less: -10)" error={percent !== "" && percentProblem}>
            <Input
              numeric
              value={percent}
              onChange={(event) => setPercent(event.target.value)}
              placeholder={by === "rule" ? "as in my settings" : "-10"}
            />
          </Field>
          <Field label="Round to">
            <Select
              options={by === "rule" ? steps : handSteps}
              value={by === "rule" ? rounding : handRounding}
              onChange={(event) =>
                (by === "rule" ? setRounding : setHandRounding)(event.target.value)
              }
            />
          </Field>
          <Field label="At least" error={minimumProblem}>
            <Input
              numeric
              value={minimum}
              onChange={(event) => setMinimum(event.target.value)}
              placeholder={by === "rule" ? "as in my settings" : "0.01"}
            />
          </Field>
          {by === "rule" && (
            <Field label="Without price data">
              <Select
                options={without}
                value={withoutData}
                onChange={(event) => setWithoutData(event.target.value)}
              />
            </Field>
          )}
        </div>
      )}
    </ActFrame>
  );
}
