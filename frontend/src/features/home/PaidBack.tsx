import { X } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { pathTo } from "@/shared/lib/paths";
import { returnText, valueText } from "@/shared/lib/worth";
import { IconButton } from "@/shared/ui/Button";
import { Bricks } from "./Bricks";
import type { BatchReturn } from "./model";
import { hasPaidBack } from "./rules";

const SEEN = "paidBackSeen";

/** The moment when sales have paid for a batch. It stays until it is closed, once per batch. */
export function PaidBack(props: { batches: readonly BatchReturn[]; currency: string }) {
  const [seen, setSeen] = useState(() => getSetting<number[]>(SEEN) ?? []);
  const batch = props.batches.find((one) => hasPaidBack(one) && !seen.includes(one.id));
  if (!batch) return null;
  const { id, name, cost, sold, in_stock, paid_back } = batch;
  const text = (amount: number | string) => valueText(amount, props.currency);
  const close = () => {
    const all = [...seen, id];
    setSetting(SEEN, all);
    setSeen(all);
  };
  return (
    <section
      aria-label={`${name} has paid for itself`}
      className="relative flex animate-pop-in items-center gap-8 overflow-hidden rounded-card bg-success-tint p-5 sm:p-8"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium text-sm text-success">Paid back {returnText(paid_back)}</p>
        <h2 className="wrap-anywhere font-semibold text-2xl tracking-tight sm:text-3xl">
          {name} has paid for itself
        </h2>
        <p className="pt-1">
          Bought for {text(cost)}, sold for {text(sold)}. From here on each sale is profit, and{" "}
          {text(in_stock)} are still in stock.{" "}
          <Link to={pathTo("batches", { batch: id })} className="font-medium underline">
            Open the batch
          </Link>
        </p>
      </div>
      <span className="max-sm:hidden">
        <Bricks />
      </span>
      <div className="absolute top-2 right-2">
        <IconButton label="Close" icon={X} onClick={close} />
      </div>
    </section>
  );
}
