import { TriangleAlert } from "lucide-react";
import { Badge } from "@/shared/ui/Badge";
import { type Order, stateNames } from "./model";

/** The store's own word for the status of an order that needs a look. */
export function StatusWord({ order }: { order: Order }) {
  return (
    <Badge tone="warning" icon={<TriangleAlert aria-hidden="true" className="size-3" />}>
      {order.status || stateNames[order.state]}
    </Badge>
  );
}

export function SoldTwiceWord({ order }: { order: Order }) {
  if (order.sold_twice !== "later") return <Badge tone="warning">Sold twice</Badge>;
  return <Badge tone="danger">Sold twice: leave out</Badge>;
}
