import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { Link } from "react-router-dom";
import { LotInStores } from "@/features/marketplace/public";
import { counted, formatCount, formatMoney } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { pathTo } from "@/shared/lib/paths";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ColorName, ConditionTag } from "@/shared/ui/Lot";
import { MovementLine } from "@/shared/ui/MovementLine";
import { PagedDrawer } from "@/shared/ui/PagedDrawer";
import { EmptyState } from "@/shared/ui/states";
import type { InventoryItem, Movement } from "./model";
import { inventoryQueries } from "./queries";
import { movementWords } from "./rules";

/** One row of stock and its ledger, newest line first. */
export function HistoryDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const item = useQuery(inventoryQueries.detail(id));
  const history = useInfiniteQuery(inventoryQueries.movements(id));
  return (
    <PagedDrawer
      onClose={onClose}
      title={item.data ? item.data.part_name || item.data.item_number : "History"}
      description="Every change of its quantity, newest first."
      head={
        item.data && (
          <>
            <Summary item={item.data} />
            <LotInStores id={id} />
          </>
        )
      }
      headQuery={item}
      list={history}
      empty={
        <EmptyState icon={History} title="No changes yet">
          This row was made with quantity 0.
        </EmptyState>
      }
    >
      {(movements) => (
        <ol className="divide-y divide-line">
          {movements.map((movement) => (
            <MovementLine
              key={movement.id}
              movement={movement}
              cause={<Cause movement={movement} />}
              balance={movement.balance}
            >
              <span className="block">{movementWords(movement)}</span>
            </MovementLine>
          ))}
        </ol>
      )}
    </PagedDrawer>
  );
}

function Summary({ item }: { item: InventoryItem }) {
  return (
    <div className="mb-4 flex gap-3 rounded-card bg-sunken p-3">
      <ItemImage
        src={item.image_url}
        type={isItemType(item.item_type) ? item.item_type : "PART"}
        name={item.part_name || item.item_number}
        colorName={item.color_name}
        colorHtml={item.color_html}
        size="md"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-mono text-muted text-xs">{item.item_number}</span>
          <ColorName name={item.color_name} html={item.color_html} />
          <ConditionTag condition={item.condition} />
        </span>
        <span className="tabular-nums">
          <strong className="font-semibold">{formatCount(item.quantity)}</strong>{" "}
          {item.price === null ? "without a price" : `at ${formatMoney(item.price)}`}
          {item.location_id !== null && (
            <>
              {" in "}
              <Link
                to={pathTo("locations", { location: item.location_id })}
                className="text-accent-ink hover:underline"
              >
                {item.location_name}
              </Link>
            </>
          )}
        </span>
        {item.batch_id !== null && (
          <span className="text-sm">
            Stowed from{" "}
            <Link
              to={pathTo("batches", { batch: item.batch_id })}
              className="text-accent-ink hover:underline"
            >
              {item.batch_name}
            </Link>
            {item.batch_count > 1 && ` and ${otherBatches(item.batch_count - 1)} before`}
          </span>
        )}
      </div>
    </div>
  );
}

const otherBatches = (count: number) => counted(count, "other batch", "other batches");

function Cause({ movement }: { movement: Movement }) {
  if (movement.cause_kind !== "sync" || movement.cause_id === null) return null;
  return (
    <>
      {" · "}
      <Link
        to={pathTo("inventory", { sync: movement.cause_id })}
        className="text-accent-ink hover:underline"
      >
        the import
      </Link>
    </>
  );
}
