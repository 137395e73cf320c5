import { TriangleAlert } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { type Order, stateNames } from "./model";

const warning = <TriangleAlert aria-hidden="true" className="size-3" />;

export const changed = (
  <Badge tone="warning" icon={warning}>
    Changed
  </Badge>
);
export const lackingIn = ({ lacking }: Order) => (
  <Badge tone="danger" icon={warning}>
    {formatCount(lacking)} not in stock
  </Badge>
);

/** The store's own word for the status of an order that needs a look. */
export function StatusWord({ order }: { order: Order }) {
  return (
    <Badge tone="warning" icon={warning}>
      {order.status || stateNames[order.state]}
    </Badge>
  );
}

export function SoldTwiceWord({ order }: { order: Order }) {
  if (order.sold_twice !== "later") return <Badge tone="warning">Sold twice</Badge>;
  return <Badge tone="danger">Sold twice: leave out</Badge>;
}
