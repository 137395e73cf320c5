import { clsx } from "clsx";
import { Flag, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import {
  AddToMySets,
  type CatalogItem,
  ExternalSites,
  isLowValue,
} from "@/features/catalog/public";
import { useFreshFigures } from "@/features/marketplace/public";
import { reportWrongMatch, SeenPiece, usePictureUrl } from "@/features/recognition/public";
import { readPrice, shortPrice } from "@/shared/lib/amounts";
import {
  counted,
  formatAgo,
  formatCount,
  formatMoney,
  formatNumber,
  formatWeight,
} from "@/shared/lib/format";
import { valueText } from "@/shared/lib/worth";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { Badge, ColorSwatch, KeyHint } from "@/shared/ui/Badge";
import { BrickLinkNotice } from "@/shared/ui/BrickLinkNotice";
import { Button, IconButton } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ConditionTag } from "@/shared/ui/Lot";
import { TypeTag } from "@/shared/ui/TypeTag";
import { useLetter } from "../add/letters";
import type { Condition } from "../model";
import type { Station } from "../useStation";
import { AcceptButton, Quantity } from "./CardActions";
import { ColorList } from "./ColorList";
import type { Colors } from "./colors";
import { OwnedList } from "./OwnedList";

/** The item to be added: its picture, colour, quantity and price. */
export function ItemCard(props: {
  station: Station;
  item: CatalogItem;
  currency?: string;
  isPhone: boolean;
}) {
  const { station, item, currency, isPhone } = props;
  const { card, colors, condition, refs, backToCard, dispatch } = station;
  const color = colors.chosen;
  return (
    <section
      aria-label={`Item ${item.item_number}`}
      className={clsx(
        "@container relative flex flex-1 flex-col gap-4 rounded-card border bg-surface p-4 shadow-card lg:min-h-[36rem]",
        card.taken ? "border-accent" : "border-line",
      )}
    >
      {/* Its head is beside the bin there. */}
      {isPhone && <h2 className="sr-only">Colour and price</h2>}
      <div className="flex items-start gap-4">
        {!isPhone && <Pictures station={station} item={item} />}
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          {!isPhone && (
            <div className="pr-9">
              <Naming station={station} item={item} />
            </div>
          )}
          <p className="text-muted text-xs">
            {[item.category, item.weight && formatWeight(item.weight)].filter(Boolean).join(" · ")}
          </p>
          <ExternalSites />
          <Market colors={colors} condition={condition} currency={currency} />
          <LowValue station={station} currency={currency} />
          <WrongMatch station={station} item={item} />
          {item.item_type === "SET" && (
            <span className="mt-1">
              <AddToMySets number={item.item_number} size="sm" />
            </span>
          )}
        </div>
        {!isPhone && <Clear station={station} />}
      </div>

      {colors.asks === null ? (
        <ColorList
          colors={colors}
          filter={card.colorFilter}
          currency={currency}
          filterRef={refs.colorFilter}
          onFilter={(text) => dispatch({ type: "colorsFiltered", text })}
          onChoose={({ colorId }) => dispatch({ type: "colorChosen", colorId })}
          onDone={backToCard}
        />
      ) : (
        <AllColors colors={colors} currency={currency} />
      )}

      <div className="-mb-4 mt-auto flex flex-wrap items-start gap-x-5 gap-y-3 rounded-b-card border-line border-t bg-surface pt-3 pb-4 lg:sticky lg:-bottom-4">
        {!isPhone && <Quantity station={station} />}
        {colors.asks === null && <Price station={station} currency={currency} />}
        {!isPhone && (
          <span className="mt-[18px] flex grow">
            <AcceptButton station={station} />
          </span>
        )}
      </div>
      {isPhone && <OwnedList owned={colors.owned} lotId={color?.lotId ?? null} />}
    </section>
  );
}

/** On a phone, above the bin: picture and name in one line. */
export function ItemHead({ station, item }: { station: Station; item: CatalogItem }) {
  return (
    <div className="relative flex items-center gap-3 pr-10">
      <ItemImage
        src={station.colors.chosen?.imageUrl ?? item.image_url}
        type={item.item_type}
        name={item.item_name}
        colorName={station.colors.chosen?.name}
        colorHtml={station.colors.chosen?.html}
        size="md"
      />
      <div className="min-w-0 flex-1">
        <Naming station={station} item={item} isShort />
      </div>
      <Clear station={station} />
    </div>
  );
}

/** The part in its colour beside the camera's picture. */
function Pictures({ station, item }: { station: Station; item: CatalogItem }) {
  const { card, recognising } = station;
  const { recognition } = recognising;
  const color = station.colors.chosen;
  const seen = card.seen && recognition.state === "found" ? recognition : null;
  const picture = usePictureUrl(seen?.picture ?? null);
  return (
    // Beside a camera the card is narrow: two pictures would leave no room for the name.
    <span className={clsx("flex shrink-0 gap-2", picture && "flex-col @lg:flex-row")}>
      <ItemImage
        src={color?.imageUrl ?? item.image_url}
        type={item.item_type}
        name={item.item_name}
        colorName={color?.name}
        colorHtml={color?.html}
        size={picture ? "fit" : "xl"}
      />
      {picture && (
        <SeenPiece
          picture={picture}
          outline={seen?.candidates[0]?.outline ?? null}
          className="size-20 rounded-control border border-line @lg:size-32"
        />
      )}
    </span>
  );
}

function Naming(props: { station: Station; item: CatalogItem; isShort?: boolean }) {
  const { station, item, isShort = false } = props;
  const color = station.colors.chosen;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h2
          className={clsx(
            "break-all font-bold tabular-nums tracking-tight",
            isShort ? "text-lg" : "text-2xl",
          )}
        >
          {item.item_number}
        </h2>
        <TypeTag type={item.item_type} />
      </div>
      <p className={clsx("leading-snug", isShort ? "truncate text-sm" : "text-base")}>
        {item.item_name}
      </p>
      <p className={clsx("flex flex-wrap items-center gap-2", !isShort && "mt-1")}>
        {station.colors.asks !== null && <span className="text-muted">no colour yet</span>}
        {color && (
          <span className="flex items-center gap-1.5 font-semibold">
            <ColorSwatch html={color.html} size="lg" />
            {color.name}
          </span>
        )}
        <ConditionTag condition={station.condition} />
      </p>
    </>
  );
}

function Clear({ station }: { station: Station }) {
  return (
    <IconButton
      label="Clear"
      className="absolute top-3 right-3 max-sm:top-0 max-sm:right-0"
      icon={X}
      onClick={() => station.run({ do: "escape" })}
    />
  );
}

/** Reports that the first match was wrong, and which one was right if another one is marked. */
function WrongMatch({ station, item }: { station: Station; item: CatalogItem }) {
  const { card, recognising } = station;
  const { recognition } = recognising;
  const [saidOf, setSaidOf] = useState<number | null>(null);
  if (!card.seen || recognition.state !== "found" || saidOf === recognition.askedAt) return null;
  const [seen] = recognition.candidates;
  if (!seen) return null;
  const isOther = item.item_number !== seen.item_number || item.item_type !== seen.item_type;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="-ml-2 self-start"
      icon={<Flag aria-hidden="true" className="size-3.5" />}
      onClick={() => {
        setSaidOf(recognition.askedAt);
        void reportWrongMatch(seen, isOther ? item : null);
        station.backToCard();
      }}
    >
      {isOther ? `${seen.item_number} was wrong` : "Wrong match"}
    </Button>
  );
}

/** Until a colour is chosen: the stock in all colours, and the range of prices. */
function AllColors({ colors, currency }: { colors: Colors; currency?: string }) {
  const lots = colors.shown.filter(({ lotId }) => lotId !== null);
  const pieces = colors.owned.reduce((sum, { quantity }) => sum + quantity, 0);
  const prices = colors.shown.flatMap(({ price }) => (price === null ? [] : Number(price)));
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const range =
    lowest === highest
      ? formatMoney(lowest, currency)
      : `${formatMoney(lowest, currency)} to ${formatMoney(highest, currency)}`;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 border-line border-t pt-3">
      <div>
        <dt className="text-muted text-xs">In stock, all colours</dt>
        <dd className="font-semibold text-2xl tabular-nums">{formatCount(pieces)}</dd>
      </div>
      {prices.length > 0 && (
        <div>
          <dt className="text-muted text-xs">Price each</dt>
          <dd className="font-semibold text-2xl tabular-nums">{range}</dd>
          {prices.length < lots.length && (
            <dd className="text-muted text-xs">
              known for {prices.length} of {counted(lots.length, "colour")}
            </dd>
          )}
        </div>
      )}
    </dl>
  );
}

/** The market's prices of the lot and how quickly it sells; nothing where they are unknown. */
function Market(props: { colors: Colors; condition: Condition; currency?: string }) {
  const { colors, condition, currency } = props;
  const { lot, rule } = colors;
  useFreshFigures(lot, condition);
  if (!lot) return null;
  const group =
    `${condition === "N" ? "new" : "used"}_${rule?.region === "us" ? "us" : "global"}` as const;
  const [sold, offered, through] = [
    lot[`${group}_avg_sold_price`],
    lot[`${group}_avg_inventory_price`],
    lot[`${group}_sell_through`],
  ];
  const facts = [
    sold && `sells ${valueText(sold, currency)}`,
    offered && `asked ${valueText(offered, currency)}`,
    through && `sell-through ${formatNumber(Number(through), 1)}`,
  ].filter(Boolean);
  if (facts.length === 0) return null;
  const asOf = lot.bricklinkSyncedAt && formatAgo(lot.bricklinkSyncedAt, Date.now());
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted text-xs tabular-nums">
        {[...facts, asOf].filter(Boolean).join(" · ")}
      </p>
      <BrickLinkNotice />
    </div>
  );
}

/**
 * Shown for a lot below the lowest value: its button counts the pieces into the bulk tray instead.
 */
function LowValue({ station, currency }: { station: Station; currency?: string }) {
  const { lot, rule } = station.colors;
  const key = useLetter("bulk");
  if (!lot || !rule || !isLowValue(lot, Number(rule.low_value))) return null;
  return (
    <p className="flex flex-wrap items-center gap-2">
      <Badge tone="warning">below {formatMoney(rule.low_value, currency)}</Badge>
      <Button size="sm" aria-keyshortcuts={key} onClick={() => station.run({ do: "bulk" })}>
        Into the bulk
        <KeyHint>{key}</KeyHint>
      </Button>
    </p>
  );
}

/** The price rule in short: "average sold price +10 %". */
function ruleText({ chosen, rule }: Colors): string {
  const percent = Number(rule?.percent ?? 0);
  const more = percent === 0 ? "" : ` ${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`;
  return `average ${chosen?.priceBasis || "reference"} price${more}`;
}

function Price({ station, currency }: { station: Station; currency?: string }) {
  const { card, price, colors, refs, dispatch, backToCard } = station;
  const [draft, setDraft] = useState<string | null>(null);
  const priceKey = useLetter("editPrice");
  const unreadable = draft !== null && readPrice(draft) === undefined;
  const asked = colors.chosen?.price ?? null;

  const save = () => {
    const read = draft === null ? undefined : readPrice(draft);
    if (read !== undefined) dispatch({ type: "priceSet", price: read });
    setDraft(null);
  };
  const onKeyDown = (event: Press | KeyboardEvent) => {
    if (event.key === "Escape") setDraft(null);
    else if (event.key !== "Enter" || unreadable) return;
    event.preventDefault();
    event.stopPropagation();
    backToCard();
  };
  useWaitingKeys(onKeyDown, refs.priceField);
  const basis =
    asked === null
      ? "no price known"
      : card.price === null
        ? ruleText(colors)
        : `by rule ${formatMoney(asked, currency)}`;
  return (
    <InputField
      label={`Price${currency ? ` (${currency})` : ""}`}
      hint={unreadable ? undefined : basis}
      error={unreadable && "An amount such as 0.12"}
      className="w-28"
      ref={refs.priceField}
      numeric
      value={draft ?? (price === null ? "" : shortPrice(price))}
      placeholder="0.00"
      aria-keyshortcuts={priceKey}
      onChange={setDraft}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  );
}
