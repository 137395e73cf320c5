import type { ParamOf } from "@/shared/api/wire";
import { counted, formatCount, formatTotal } from "@/shared/lib/format";
import { optionsOf } from "@/shared/lib/names";
import type { Column } from "@/shared/table/column";
import { countColumn, whenColumn } from "@/shared/table/fieldColumns";
import { When } from "@/shared/ui/When";
import { channelNames, hasTime, type Order, orderedText, stateNames } from "./model";
import { changed, lackingIn, SoldTwiceWord, StatusWord } from "./StatusWord";
import { useOrdersPath } from "./useOrdersPath";

const unknownIn = (order: Order) => <StatusWord order={order} />;

function NumberLink({ order }: { order: Order }) {
  const path = useOrdersPath();
  return (
    <a href={path({ order: order.id })} data-open="" tabIndex={-1} className="font-medium">
      {order.number}
    </a>
  );
}

export const orderColumns: readonly Column<Order, ParamOf<"orders">>[] = [
  {
    id: "number",
    header: "Order",
    width: 140,
    sortBy: "number",
    primary: true,
    hideable: false,
    text: (row) => row.number,
    cell: (row) => <NumberLink order={row} />,
  },
  {
    id: "state",
    header: "State",
    width: 220,
    sortBy: "state",
    text: (row) => stateNames[row.state],
    brief: (row) => (
      <span className="flex items-center gap-1.5">
        {stateNames[row.state]}
        {row.is_status_unknown ? (
          unknownIn(row)
        ) : row.sold_twice ? (
          <SoldTwiceWord order={row} />
        ) : row.lacking > 0 ? (
          lackingIn(row)
        ) : row.differences > 0 ? (
          changed
        ) : (
          row.tray && <span className="text-muted">Tray {row.tray}</span>
        )}
      </span>
    ),
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-1.5">
        {stateNames[row.state]}
        {row.tray && <span className="text-muted">Tray {row.tray}</span>}
        {row.is_status_unknown && unknownIn(row)}
        {row.sold_twice && <SoldTwiceWord order={row} />}
        {row.differences > 0 && changed}
        {row.lacking > 0 && lackingIn(row)}
      </span>
    ),
    filter: {
      kind: "choice",
      param: "state",
      options: optionsOf(stateNames),
    },
  },
  {
    id: "buyer",
    header: "Buyer",
    width: 200,
    sortBy: "buyer",
    text: (row) => row.address_name || row.buyer,
    brief: (row) => row.address_name || row.buyer,
    briefGivesWay: true,
    cell: (row) => row.address_name || row.buyer || "–",
  },
  { id: "country", header: "Country", width: 90, cell: (row) => row.country || "–" },
  {
    id: "pieces",
    header: "Pieces",
    width: 130,
    align: "end",
    text: (row) => String(row.pieces),
    brief: (row) => counted(row.pieces, "piece"),
    cell: (row) => (
      <>
        {formatCount(row.pieces)}{" "}
        <span className="text-muted text-xs">in {counted(row.lots, "lot")}</span>
      </>
    ),
  },
  countColumn("to_pick", "To pick", { id: "toPick", width: 90 }),
  {
    id: "total",
    header: "Total",
    width: 110,
    align: "end",
    sortBy: "total",
    brief: (row) => formatTotal(row.total, row.currency),
    cell: (row) => formatTotal(row.total, row.currency),
  },
  {
    id: "payment",
    header: "Payment",
    width: 120,
    cell: (row) => row.payment_status || "–",
  },
  {
    id: "channel",
    header: "Came by",
    width: 110,
    cell: (row) => channelNames[row.channel],
    filter: {
      kind: "choice",
      param: "channel",
      options: optionsOf(channelNames),
    },
  },
  whenColumn("orderedAt", "Ordered", {
    ...{ width: 120, sortBy: "orderedAt", text: orderedText },
    cell: (row) => (hasTime(row) ? <When at={row.orderedAt} /> : orderedText(row)),
  }),
];
