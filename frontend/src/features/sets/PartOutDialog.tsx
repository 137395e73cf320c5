import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { PriceRunNotice, useGetPrices } from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { wholeOf } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { type Region, regionOptions } from "@/shared/lib/regions";
import { priceText, valueText, worthText } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Field, Input, Select } from "@/shared/ui/Field";
import { ColorName, type Condition, conditionNames, conditionOptions } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { PartedOut, UserSet } from "./model";
import { useDropBatch, usePartOut } from "./mutations";
import { lots, pieces, whyNotQuantity } from "./rules";

const regionNames: Record<Region, string> = { global: "worldwide", us: "US" };
const regionChoices = [{ value: "", label: "As in my price rule" }, ...regionOptions];

type Option = "extras" | "box" | "instructions" | "only_on_hand";

/** What a set is worth in pieces, and the batch that they go into. */
export function PartOutDialog({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const navigate = useNavigate();
  const [quantity, setQuantity] = useState(String(set.quantity));
  const [condition, setCondition] = useState<Condition>(set.condition);
  const [minifigs, setMinifigs] = useState<"whole" | "parts">("whole");
  const [pricing, setPricing] = useState<"rule" | "zero">("rule");
  const [region, setRegion] = useState<Region | "">("");
  const [chosen, setChosen] = useState<Record<Option, boolean>>({
    extras: false,
    box: false,
    instructions: false,
    only_on_hand: false,
  });
  const partOut = usePartOut();
  const prices = useGetPrices();
  const drop = useDropBatch();
  const problem = whyNotQuantity(quantity);
  const body = {
    user_set_id: set.id,
    quantity: wholeOf(quantity),
    condition,
    minifigs_in_parts: minifigs === "parts",
    pricing,
    ...(region !== "" && { region }),
    ...chosen,
  };
  const preview = usePreview(["partOut"], problem ? null : body, async (asked, signal) =>
    one(await api.post("batches/partOut", { body: { ...asked, dry_run: true }, signal })),
  );
  const shown = preview.error ? undefined : preview.result;

  const takeBack = (id: number, name: string) =>
    drop.mutate(
      { id, name },
      {
        onSuccess: () => toast.success("The batch is gone again"),
      },
    );
  const go = () =>
    partOut.mutate(body, {
      onSuccess: ({ batch_id: id, batch_name: name, figures }) => {
        onClose();
        if (id === null || name === null) return;
        toast.success(`${pieces(figures.pieces)} in ${name}`, {
          action: { label: "Undo", run: () => takeBack(id, name) },
        });
        void navigate(`/app/batches?batch=${id}`);
      },
    });
  const tick = (option: Option, label: string) => (
    <Checkbox
      label={label}
      checked={chosen[option]}
      onChange={(event) => setChosen((now) => ({ ...now, [option]: event.target.checked }))}
    />
  );

  return (
    <PreviewedActDialog
      onClose={onClose}
      title={`Part out ${set.number}`}
      description={`${set.name}: its pieces as a batch. The set itself stays in My Sets.`}
      size="lg"
      act={shown ? `Make a batch of ${lots(shown.figures.lots)}` : "Make a batch"}
      pending={partOut.isPending}
      onAct={go}
      preview={preview}
      missing={problem}
      waiting="Wait for the value"
      loading="Calculating the value"
      show={(plan) => (
        <>
          <Worth plan={plan} />
          {plan.lots_without_price > 0 && pricing === "rule" && (
            <div>
              <Button
                size="sm"
                loading={prices.isPending}
                disabledReason={prices.isSuccess && "They are being fetched"}
                onClick={() => prices.mutate({ of: "partOut", body })}
              >
                Get the prices that are missing
              </Button>
            </div>
          )}
          <PriceRunNotice />
        </>
      )}
    >
      <div className="flex flex-wrap items-end gap-3">
        <SegmentedControl
          label="Condition"
          value={condition}
          onChange={setCondition}
          options={conditionOptions}
        />
        <SegmentedControl
          label="Minifigs"
          value={minifigs}
          onChange={setMinifigs}
          options={[
            { value: "whole", label: "Minifigs whole" },
            { value: "parts", label: "In parts" },
          ]}
        />
        <SegmentedControl
          label="Prices"
          value={pricing}
          onChange={setPricing}
          options={[
            { value: "rule", label: "By my price rule" },
            { value: "zero", label: "No prices" },
          ]}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="How many sets" error={problem}>
          <Input numeric value={quantity} onChange={(event) => setQuantity(event.target.value)} />
        </Field>
        <Field label="Prices of">
          <Select
            options={regionChoices}
            value={region}
            onChange={(event) => setRegion(event.target.value as Region | "")}
          />
        </Field>
      </div>
      <div className="grid gap-2 sm:grid-cols-2">
        {tick("extras", "Spare parts too")}
        {tick("instructions", "Instructions")}
        {tick("box", "Original box")}
        {tick("only_on_hand", "Only what is on hand")}
      </div>
    </PreviewedActDialog>
  );
}

function Worth({ plan }: { plan: PartedOut }) {
  const { figures, currency } = plan;
  return (
    <>
      <p role="status" className="font-medium">
        {pieces(figures.pieces)} in {lots(figures.lots)}, asked for {worthText(plan, currency)}
      </p>
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4" aria-label="What the pieces are worth">
        {plan.values.map((each) => (
          <li
            key={`${each.condition} ${each.region}`}
            className="rounded-control border border-line px-3 py-2"
          >
            <span className="block text-muted text-xs">
              {conditionNames[each.condition]}, {regionNames[each.region]}
            </span>
            <span className="block font-semibold tabular-nums">
              {valueText(each.value, currency)}
            </span>
            {each.lots_without_price > 0 && (
              <span className="block text-muted text-xs">
                {formatCount(each.lots_without_price)} without price
              </span>
            )}
          </li>
        ))}
      </ul>
      <p className="text-muted text-xs">
        One set: {pieces(figures.parts_of_one)}
        {figures.minifigs_of_one > 0 && ` and ${formatCount(figures.minifigs_of_one)} minifigs`}.
        Listed beside it: {formatCount(figures.extra_rows)} rows of extras,{" "}
        {formatCount(figures.alternate_rows)} of alternates, {formatCount(figures.counterpart_rows)}{" "}
        of counterparts.
      </p>
      {figures.minifigs_without_parts > 0 && (
        <Notice tone="info">
          {formatCount(figures.minifigs_without_parts)} minifigs stay whole: the catalogue does not
          list their parts.
        </Notice>
      )}
      {plan.not_there.length > 0 && (
        <Notice tone="warning">
          Its {plan.not_there.join(" and ")} are not in the catalogue: left out.
        </Notice>
      )}
      <SimpleTable
        caption="The lots worth most"
        rows={plan.items}
        getKey={(item) => item.lot_id}
        columns={[
          { header: "Item", grow: true, cell: (item) => `${item.item_name} (${item.item_number})` },
          {
            header: "Colour",
            cell: (item) => <ColorName name={item.color_name} html={item.color_html} />,
          },
          { header: "Qty", align: "end", cell: (item) => formatCount(item.quantity) },
          { header: "Price", align: "end", cell: (item) => priceText(item.price, currency) },
        ]}
      />
    </>
  );
}
