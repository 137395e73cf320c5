import { formatCount } from "@/shared/lib/format";
import { priceText } from "@/shared/lib/worth";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";
import type { ActedItem } from "../model";
import { ActFrame, type ActProps, figure, lots, nameColumn } from "./ActFrame";

const rowsOf = (row: ActedItem) => (Array.isArray(row.before) ? row.before : []);
const becomes = ({ after }: ActedItem) =>
  typeof after === "object" && !Array.isArray(after) ? after : null;

/** One row of several new ones of the same lot, condition and completeness. */
export function ConsolidateDialog({ act }: { act: ActProps }) {
  const target = useControl<"fullest" | "newest">("fullest");
  const samePrice = useControl(false);
  const sameLocation = useControl(true);
  const countUnpriced = useControl(false);
  const also = [
    ...(samePrice.value ? (["price"] as const) : []),
    ...(sameLocation.value ? (["location"] as const) : []),
  ];
  return (
    <ActFrame
      act={act}
      verb="consolidate"
      title={`Consolidate ${lots(act.count)}`}
      description="New items of the same lot and condition become one. Prices are averaged by quantity, texts joined."
      options={{ target: target.value, also_agree: also, count_unpriced: countUnpriced.value }}
      doLabel="Consolidate"
      summary={(acted) =>
        figure(acted, "groups") === 0
          ? "Nothing to consolidate"
          : `${formatCount(figure(acted, "removed") + figure(acted, "groups"))} rows become ${formatCount(figure(acted, "groups"))}`
      }
      idle={(acted) => figure(acted, "groups") === 0}
      columns={[
        nameColumn,
        {
          header: "Now",
          cell: (row) =>
            rowsOf(row)
              .map(({ qty, price }) => `${formatCount(qty)} × ${priceText(price)}`)
              .join(", "),
        },
        {
          header: "Then",
          cell: (row) => {
            const then = becomes(row);
            return then && `${formatCount(then.qty)} × ${priceText(then.price)}`;
          },
        },
      ]}
    >
      <div className="flex flex-col gap-3">
        <ChoiceField
          label="Which one stays"
          className="w-56"
          options={[
            { value: "fullest", label: "The one with most pieces" },
            { value: "newest", label: "The newest" },
          ]}
          {...target}
        />
        <CheckField label="Only where the planned bin is the same" {...sameLocation} />
        <CheckField label="Only where the price is the same" {...samePrice} />
        {!samePrice.value && (
          <CheckField label="Count a missing price as 0 in the average" {...countUnpriced} />
        )}
      </div>
    </ActFrame>
  );
}
