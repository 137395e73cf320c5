import { useState } from "react";
import { Link } from "react-router-dom";
import { Card } from "@/shared/ui/Card";
import { ChoiceField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { TypeTag } from "@/shared/ui/TypeTag";
import { useControl } from "@/shared/ui/useControl";
import { itemKeyOf } from "./model";
import { catalogQueries } from "./queries";
import { recentItems } from "./recentItems";

/** What is browsed, as it is searched for. */
const kinds = [
  { value: "brick", label: "Bricks" },
  { value: "plate", label: "Plates" },
  { value: "tile", label: "Tiles" },
  { value: "slope", label: "Slopes" },
  { value: "wheel", label: "Wheels" },
  { value: "technic", label: "Technic" },
];
const TILES = 24;

const linkTo = (key: string) => `?item=${encodeURIComponent(key)}`;

/** Before an item is open: items to begin with, as pictures. */
export function CatalogStart() {
  const kind = useControl("brick");
  const data = useSideQuery(
    catalogQueries.search({ text: kind.value, type: "PART", limit: TILES }),
    "parts to look at",
  );
  return (
    <Card
      title="Show a part to the camera, drop a picture, or type a number"
      description="The colours of the item appear here, with what you own and what they are worth."
      actions={<ChoiceField label="Browse" hideLabel options={kinds} {...kind} />}
    >
      <ul
        aria-label={kinds.find(({ value }) => value === kind.value)?.label}
        className="grid min-h-96 grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] content-start gap-3 sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] max-[119rem]:[&>:nth-child(n+9)]:hidden"
      >
        {data?.data.map((item) => (
          <li key={item.id}>
            <Link
              to={linkTo(itemKeyOf(item))}
              className="group block rounded-control p-1 hover:bg-hover"
            >
              <ItemImage
                src={item.image_url}
                type={item.item_type}
                name={item.item_name}
                size="card"
              />
              <span className="mt-1 block truncate font-semibold tabular-nums">
                {item.item_number}
              </span>
              <span className="line-clamp-2 text-muted text-xs group-hover:text-ink">
                {item.item_name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The items that were open last, to come back to. */
export function LookedAtLast() {
  const [recent] = useState(recentItems);
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby="looked-at-last">
      <h2 id="looked-at-last" className="pb-1 font-semibold text-sm">
        Last viewed
      </h2>
      <ul className="-mx-2 flex flex-col">
        {recent.map(({ type, number, name }) => (
          <li key={`${type}:${number}`}>
            <Link
              to={linkTo(`${type}:${number}`)}
              className="flex items-center gap-3 rounded-control px-2 py-2 hover:bg-hover"
            >
              <span className="w-20 shrink-0 truncate font-semibold tabular-nums">{number}</span>
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <TypeTag type={type} short />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
