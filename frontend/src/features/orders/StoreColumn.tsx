import { useEffect } from "react";
import { type Channel, ChannelMark, useChannels } from "@/features/marketplace/public";
import type { ParamOf } from "@/shared/api/wire";
import type { Column } from "@/shared/table/column";
import { orderColumns } from "./columns";
import type { Order } from "./model";

type OrderColumn = Column<Order, ParamOf<"orders">>;

const storeColumn = (channels: readonly Channel[]): OrderColumn => ({
  id: "store",
  header: "Store",
  width: 90,
  filter: {
    kind: "choice",
    param: "marketplace",
    options: channels.map(({ marketplace, marketplace_name: name }) => ({
      value: marketplace,
      label: name,
    })),
  },
  text: (row) =>
    channels.find(({ marketplace }) => marketplace === row.marketplace)?.marketplace_name ?? "",
  brief: (row) => <ChannelMark marketplace={row.marketplace} />,
  cell: (row) => <ChannelMark marketplace={row.marketplace} />,
});

/** Renders nothing: hands the table the columns of a person with several stores. */
export function StoreColumn(props: { onColumns: (columns: readonly OrderColumn[]) => void }) {
  const { onColumns } = props;
  const channels = useChannels();
  useEffect(() => {
    if (channels.length > 1) onColumns(orderColumns.toSpliced(1, 0, storeColumn(channels)));
  }, [channels, onColumns]);
  return null;
}
