import { CircleHelp } from "lucide-react";
import { Link } from "react-router-dom";
import { colorWords } from "@/shared/lib/colorNames";
import { isItemType } from "@/shared/lib/itemTypes";
import { optionsOf } from "@/shared/lib/names";
import { Badge, ColorSwatch } from "./Badge";
import { ItemImage } from "./ItemImage";
import { Tooltip } from "./Tooltip";
import { TypeTag } from "./TypeTag";

/** How all lists of lots show an item, a colour and a condition. */

export type Condition = "N" | "U";

export const conditionNames: Record<Condition, string> = { N: "New", U: "Used" };

export const conditionOptions = optionsOf(conditionNames);

/** The same where most is used: the station and the catalogue. */
export const usedFirst: typeof conditionNames = { U: conditionNames.U, N: conditionNames.N };

/** A condition of a lot; `?` is one that was not understood, and neither new nor used. */
export type LotCondition = Condition | "?";

export const lotConditionNames: Record<LotCondition, string> = {
  ...conditionNames,
  "?": "Not understood",
};

export const lotConditionOptions = optionsOf(lotConditionNames);

/** The letter of a condition, drawn by its style: what is read and copied is the whole word. */
export function ConditionTag({ condition, text }: { condition: LotCondition; text?: string }) {
  if (condition === "?")
    return <Badge tone="warning">{text ? `“${text}”?` : "No condition"}</Badge>;
  const name = conditionNames[condition];
  return (
    <span title={name}>
      <span
        aria-hidden="true"
        data-letter={condition}
        className="before:content-[attr(data-letter)]"
      />
      <span className="sr-only">{name}</span>
    </span>
  );
}

export function ColorName({ name, html }: { name: string; html?: string | null }) {
  if (!colorWords(name)) {
    return (
      <span className="text-muted">
        –<span className="sr-only">no colour</span>
      </span>
    );
  }
  return (
    <span className="flex min-w-0 items-center gap-2">
      <ColorSwatch html={html} />
      <span className="min-w-0 truncate">{name}</span>
    </span>
  );
}

/** The tag of an item type; an unknown type of the API is shown unchanged. */
export function ItemTypeTag({ type, short }: { type: string; short?: boolean }) {
  return isItemType(type) ? <TypeTag type={type} short={short} /> : <Badge>{type || "?"}</Badge>;
}

/** The note at a lot that was imported and is not in the catalogue; all its fields are kept. */
export function UnknownLotTag() {
  return (
    <Tooltip text="Not in the catalogue. Kept with everything its file said, and exported again.">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation must be reachable */}
      <span tabIndex={0} className="inline-flex rounded-full">
        <Badge tone="warning" icon={<CircleHelp aria-hidden="true" className="size-3" />}>
          unknown
        </Badge>
      </span>
    </Tooltip>
  );
}

const nameLink = "min-w-0 truncate font-medium hover:text-accent-ink hover:underline";

/** The fields of a lot in the lists of the API. */
export type ShownLot = {
  item_number: string;
  item_type: string;
  image_url: string | null;
  color_name: string;
  color_html: string | null;
  /** Whether the catalogue knows it. Absent where it always does. */
  is_known?: boolean;
} & ({ part_name: string } | { item_name: string });

/** The props of `LotName` for a row of a list. */
export const lotNameOf = (row: ShownLot): LotNameProps => ({
  number: row.item_number,
  name: "part_name" in row ? row.part_name : row.item_name,
  type: row.item_type,
  image: row.image_url,
  colorName: row.color_name,
  colorHtml: row.color_html,
  isKnown: row.is_known ?? true,
});

export type LotNameProps = {
  number: string;
  name: string;
  type: string;
  image: string | null | undefined;
  colorName?: string | null;
  colorHtml?: string | null;
  /** The size of the picture: 40 pixels in a row, larger where there is room. */
  size?: "sm" | "md";
  isKnown: boolean;
  /** The target of the link on its name. */
  to?: string;
  /** In a table with `onOpen`: its name opens the row, in a new tab at this address. */
  opens?: string;
};

/** Picture, name and number of a lot: the first cell of its row, the head of its card. */
export function LotName(props: LotNameProps) {
  const { number, name, type, image, colorName, colorHtml, size, isKnown, to, opens } = props;
  const text = name || number || "(no number)";
  // Enter on the cell opens too: one tab stop for the whole grid.
  const link = { tabIndex: -1, title: text, className: nameLink };
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ItemImage
        src={image}
        type={isItemType(type) ? type : "PART"}
        name={text}
        colorName={colorWords(colorName)}
        colorHtml={colorHtml}
        size={size}
      />
      <span className="flex min-w-0 flex-col in-data-compact:flex-row in-data-compact:items-baseline in-data-compact:gap-2">
        <span className="flex min-w-0 items-center gap-2">
          {to ? (
            <Link to={to} {...link}>
              {text}
            </Link>
          ) : opens ? (
            <a href={opens} data-open="" {...link}>
              {text}
            </a>
          ) : (
            <span title={text} className="min-w-0 truncate font-medium">
              {text}
            </span>
          )}
          {!isKnown && <UnknownLotTag />}
        </span>
        <span className="truncate font-mono text-muted text-xs in-data-compact:shrink-0">
          {number}
        </span>
      </span>
    </span>
  );
}
