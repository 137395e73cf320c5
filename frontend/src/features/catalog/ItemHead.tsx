import { PackagePlus } from "lucide-react";
import { useLayoutEffect } from "react";
import { formatWeight } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { clientStore } from "@/shared/store/clientStore";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { ItemImage } from "@/shared/ui/ItemImage";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { TypeTag } from "@/shared/ui/TypeTag";
import { AddToMySets } from "./AddToMySets";
import { AddToSet } from "./AddToSet";
import { ExternalSites } from "./ExternalSites";
import { type CatalogItem, type CatalogLot, itemKeyOf } from "./model";
import { catalogQueries } from "./queries";
import { selectedOf } from "./selected";

/** What an item is: picture, number, name, facts, where else it is described. */
export function ItemHead(props: {
  item: CatalogItem;
  /** The chosen colour. */
  lot: CatalogLot | null;
  batchId: number | null;
}) {
  const { item, lot, batchId } = props;
  const detail = useSideQuery(catalogQueries.item(item.id), "details of the item");
  useLayoutEffect(() => {
    clientStore.set("selectedIdentifiedItem", selectedOf(detail ?? item));
    return () => clientStore.clear("selectedIdentifiedItem");
  }, [item, detail]);
  const moved = detail?.replaced_by_number;
  const facts = [
    ["Category", item.category],
    ["Weight", item.weight && formatWeight(item.weight)],
    ["Size", detail?.dimensions],
    ["Year", detail?.year_released],
    ["State", detail?.is_retired && !moved && "no longer made"],
  ].filter(([, value]) => value);
  return (
    <Card>
      <div className="flex flex-wrap items-start gap-4">
        <ItemImage src={item.image_url} type={item.item_type} name={item.item_name} size="fit" />
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="select-all break-all font-bold text-2xl tabular-nums tracking-tight">
              {item.item_number}
            </h2>
            <TypeTag type={item.item_type} />
          </div>
          <p className="text-base">{item.item_name}</p>
          {moved && (
            <Notice
              tone="info"
              title={`The catalogue moved it to ${moved}`}
              actions={
                <ButtonLink
                  size="sm"
                  to={pathTo("catalog", { item: itemKeyOf({ ...item, item_number: moved }) })}
                >
                  Open {moved}
                </ButtonLink>
              }
            >
              {item.item_number} is its old number.
            </Notice>
          )}
          {/* On a phone four facts are four lines: two come later. */}
          <dl className="flex flex-wrap content-start gap-x-5 gap-y-1 max-sm:min-h-24">
            {facts.map(([name, value]) => (
              <div key={String(name)} className="flex gap-1.5">
                <dt className="text-muted">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <ExternalSites />
        </div>
        <div className="flex flex-wrap gap-2">
          {item.item_type === "SET" && <AddToMySets number={item.item_number} />}
          {(item.item_type === "PART" || item.item_type === "MINIFIG") && lot && (
            <AddToSet item={item} lot={lot} />
          )}
          <ButtonLink
            to={pathTo("stow", { item: itemKeyOf(item), batch: batchId })}
            icon={PackagePlus}
          >
            Stow it
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
