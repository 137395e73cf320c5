import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { PriceRunNotice, useGetPrices } from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { wholeOf } from "@/shared/lib/amounts";
import { formatCount } from "@/shared/lib/format";
import { optionsOf } from "@/shared/lib/names";
import { pathTo } from "@/shared/lib/paths";
import { type Region, regionName, regionNames } from "@/shared/lib/regions";
import { agedText, priceText, worthParts, worthText } from "@/shared/lib/worth";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { ColorName, type Condition, conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import type { PartedOut, UserSet } from "./model";
import { useDropBatch, usePartOut } from "./mutations";
import { lots, pieces, whyNotSetCount } from "./rules";

const regionChoices = optionsOf({ "": "As in my price rule", ...regionNames });

type Option = "extras" | "box" | "instructions" | "only_on_hand";

/** What a set is worth in pieces, and the batch that they go into. */
export function PartOutDialog({ set, onClose }: { set: UserSet; onClose: () => void }) {
  const navigate = useNavigate();
  const quantity = useControl(String(set.quantity));
  const condition = useControl<Condition>(set.condition);
  const minifigs = useControl<"whole" | "parts">("whole");
  const pricing = useControl<"rule" | "zero">("rule");
  const region = useControl<Region | "">("");
  const [chosen, setChosen] = useState<Record<Option, boolean>>({
    extras: false,
    box: false,
    instructions: false,
    only_on_hand: false,
  });
  const partOut = usePartOut();
  const prices = useGetPrices();
  const drop = useDropBatch();
  const problem = whyNotSetCount(quantity.value);
  const body = {
    user_set_id: set.id,
    quantity: wholeOf(quantity.value),
    condition: condition.value,
    minifigs_in_parts: minifigs.value === "parts",
    pricing: pricing.value,
    ...(region.value !== "" && { region: region.value }),
    ...chosen,
  };
  const preview = usePreview(["partOut"], problem ? null : body, async (asked, signal) =>
    one(await api.ask("batches/partOut", { body: { ...asked, dry_run: true }, signal })),
  );
  const shown = preview.error ? undefined : preview.result;

  const takeBack = (id: number, name: string) =>
    drop.mutate(
      { id, name },
      {
        onSuccess: () => toast.success("The batch is deleted again"),
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
        void navigate(pathTo("batches", { batch: id }));
      },
    });
  const tick = (option: Option, label: string) => (
    <CheckField
      label={label}
      value={chosen[option]}
      onChange={(checked) => setChosen((now) => ({ ...now, [option]: checked }))}
    />
  );

  return (
    <PreviewedActDialog
      onClose={onClose}
      title={`Part out ${set.number}`}
      description={`${set.name}: its pieces as a batch. The set itself stays in My Sets.`}
      size="lg"
      act={shown ? `Create a batch of ${lots(shown.figures.lots)}` : "Create a batch"}
      pending={partOut.isPending}
      onAct={go}
      preview={preview}
      missing={problem}
      waiting="Wait for the value"
      loading="Calculating the value"
      show={(plan) => (
        <>
          <Worth plan={plan} />
          {plan.lots_without_price > 0 && pricing.value === "rule" && (
            <div>
              <Button
                size="sm"
                loading={prices.isPending}
                disabledReason={prices.isSuccess && "Being fetched"}
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
        <SegmentedControl label="Condition" {...condition} options={conditionNames} />
        <SegmentedControl
          label="Minifigs"
          {...minifigs}
          options={{ whole: "Minifigs whole", parts: "In parts" }}
        />
        <SegmentedControl
          label="Prices"
          {...pricing}
          options={{ rule: "By my price rule", zero: "No prices" }}
        />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <InputField label="How many sets" error={problem} numeric {...quantity} />
        <ChoiceField label="Prices of" options={regionChoices} {...region} />
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
              {conditionNames[each.condition]},{" "}
              {each.region === "global" ? "worldwide" : regionName(each.region)}
            </span>
            <span className="block font-semibold tabular-nums">
              {worthParts(each, currency)[0]}
            </span>
            {each.value !== null && each.lots_without_price > 0 && (
              <span className="block text-muted text-xs">
                {formatCount(each.lots_without_price)} without price
              </span>
            )}
            {each.value !== null && (
              <span className="block text-muted text-xs">{agedText(each.figuresAt)}</span>
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
