import { useEffect } from "react";
import { type Channel, ChannelMarks, useChannels } from "@/features/marketplace/public";
import type { ParamOf } from "@/shared/api/wire";
import type { Column } from "@/shared/table/column";
import { inventoryColumns } from "./columns";
import type { InventoryItem } from "./model";

type StockColumn = Column<InventoryItem, ParamOf<"inventoryItems">>;

const forSaleColumn = (channels: readonly Channel[]): StockColumn => ({
  id: "forSaleOn",
  header: "For sale on",
  width: 110,
  hidden: channels.length < 2,
  filter: {
    kind: "choice",
    param: "for_sale_on",
    options: [
      ...channels.flatMap(({ channel_id: id, marketplace_name: name }) => [
        { value: `on-${id}`, label: `on ${name}` },
        { value: `off-${id}`, label: `not on ${name}` },
        { value: `differs-${id}`, label: `differs on ${name}` },
      ]),
      { value: "none", label: "on none" },
    ],
  },
  text: (row) =>
    channels
      .filter(({ channel_id: id }) => row.for_sale_on.includes(id))
      .map(({ marketplace_name: name }) => name)
      .join(", "),
  cell: (row) => <ChannelMarks ids={row.for_sale_on} />,
});

/** Renders nothing: hands the page the columns of a person with a store, the stores' one among them. */
export function ForSaleColumn(props: { onColumns: (columns: readonly StockColumn[]) => void }) {
  const { onColumns } = props;
  const channels = useChannels();
  useEffect(() => {
    if (channels.length === 0) return;
    const place = inventoryColumns.findIndex(({ id }) => id === "listed") + 1;
    onColumns(inventoryColumns.toSpliced(place, 0, forSaleColumn(channels)));
  }, [channels, onColumns]);
  return null;
}
