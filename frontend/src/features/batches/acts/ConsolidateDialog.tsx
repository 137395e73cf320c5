import { useState } from "react";
import { formatCount } from "@/shared/lib/format";
import { priceText } from "@/shared/lib/worth";
import { Checkbox } from "@/shared/ui/Checkbox";
import { Field, Select } from "@/shared/ui/Field";
import type { ActedItem } from "../model";
import { ActFrame, type ActProps, figure, lots, nameColumn } from "./ActFrame";

const rowsOf = (row: ActedItem) => (Array.isArray(row.before) ? row.before : []);
const becomes = ({ after }: ActedItem) =>
  typeof after === "object" && !Array.isArray(after) ? after : null;

/** One row of several new ones of the same lot, condition and completeness. */
export function ConsolidateDialog({ act }: { act: ActProps }) {
  const [target, setTarget] = useState<"fullest" | "newest">("fullest");
  const [samePrice, setSamePrice] = useState(false);
  const [sameLocation, setSameLocation] = useState(true);
  const [countUnpriced, setCountUnpriced] = useState(false);
  const also = [
    ...(samePrice ? (["price"] as const) : []),
    ...(sameLocation ? (["location"] as const) : []),
  ];
  return (
    <ActFrame
      act={act}
      verb="consolidate"
      title={`Consolidate ${lots(act.count)}`}
      description="New items of the same lot and condition become one. Prices are averaged by quantity, texts joined."
      options={{ target, also_agree: also, count_unpriced: countUnpriced }}
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
        <Field label="Which one stays" className="w-56">
          <Select
            options={[
              { value: "fullest", label: "The one with most pieces" },
              { value: "newest", label: "The newest" },
            ]}
            value={target}
            onChange={(event) => setTarget(event.target.value as typeof target)}
          />
        </Field>
        <Checkbox
          label="Only where the planned bin is the same"
          checked={sameLocation}
          onChange={(event) => setSameLocation(event.target.checked)}
        />
        <Checkbox
          label="Only where the price is the same"
          checked={samePrice}
          onChange={(event) => setSamePrice(event.target.checked)}
        />
        {!samePrice && (
          <Checkbox
            label="Count a missing price as 0 in the average"
            checked={countUnpriced}
            onChange={(event) => setCountUnpriced(event.target.checked)}
          />
        )}
      </div>
    </ActFrame>
  );
}
