import { clsx } from "clsx";
import { CornerDownLeft, Minus, Plus, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { formatMoney, formatWeight } from "@/shared/lib/format";
import { ColorSwatch, Kbd } from "@/shared/ui/Badge";
import { Button, IconButton } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ConditionTag } from "@/shared/ui/Lot";
import { TypeTag } from "@/shared/ui/TypeTag";
import { ColorList } from "./ColorList";
import { readPrice, shortPrice } from "./price";
import type { Station } from "./useStation";

/** The item that is being added: what it is, in which colour, how many, for how much. */
export function ItemCard(props: { station: Station; item: CatalogItem; currency?: string }) {
  const { station, item, currency } = props;
  const { card, colors, condition, refs, backToCard, dispatch, run } = station;
  const color = colors.chosen;
  return (
    <section
      aria-label={`Item ${item.item_number}`}
      className={clsx(
        "flex min-h-0 flex-1 flex-col gap-4 rounded-card border bg-surface p-4 shadow-card",
        card.taken ? "border-accent" : "border-line",
      )}
    >
      <div className="flex items-start gap-4">
        <ItemImage
          src={color?.imageUrl ?? item.image_url}
          type={item.item_type}
          colorHtml={color?.html}
          size="lg"
        />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="break-all font-bold text-2xl tabular-nums tracking-tight">
              {item.item_number}
            </h2>
            <TypeTag type={item.item_type} />
          </div>
          <p className="text-base leading-snug">{item.item_name}</p>
          <p className="text-muted text-xs">
            {[item.category, item.weight && formatWeight(item.weight)].filter(Boolean).join(" · ")}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-2">
            {color && (
              <span className="flex items-center gap-1.5 font-semibold">
                <ColorSwatch html={color.html} size="lg" />
                {color.name}
              </span>
            )}
            <ConditionTag condition={condition} />
          </p>
        </div>
        <IconButton
          label="Clear"
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={() => run({ do: "escape" })}
        />
      </div>

      <ColorList
        colors={colors}
        filter={card.colorFilter}
        currency={currency}
        filterRef={refs.colorFilter}
        onFilter={(text) => dispatch({ type: "colorsFiltered", text })}
        onChoose={({ colorId }) => dispatch({ type: "colorChosen", colorId })}
        onDone={backToCard}
      />

      <div className="mt-auto flex flex-wrap items-end gap-x-5 gap-y-3 border-line border-t pt-3">
        <Quantity station={station} />
        <Price station={station} currency={currency} />
        <AcceptButton station={station} />
      </div>
    </section>
  );
}

function Quantity({ station: { card, run } }: { station: Station }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium text-muted text-xs">
        Quantity <Keys names={["0–9"]} />
      </span>
      <span className="flex items-center gap-1">
        <IconButton
          label="One less"
          icon={<Minus aria-hidden="true" className="size-4" />}
          variant="secondary"
          disabledReason={!card.taken && "Take the match first"}
          onClick={() => run({ do: "change", by: -1 })}
        />
        <output
          aria-label="Quantity"
          className="min-w-14 px-1 text-center font-bold text-4xl tabular-nums leading-none"
        >
          {card.quantity}
        </output>
        <IconButton
          label="One more"
          icon={<Plus aria-hidden="true" className="size-4" />}
          variant="secondary"
          disabledReason={!card.taken && "Take the match first"}
          onClick={() => run({ do: "change", by: 1 })}
        />
      </span>
    </div>
  );
}

function Price({ station, currency }: { station: Station; currency?: string }) {
  const { card, price, colors, refs, dispatch, backToCard } = station;
  const [draft, setDraft] = useState<string | null>(null);
  const unreadable = draft !== null && readPrice(draft) === undefined;
  const reference = colors.chosen?.price ?? null;

  const save = () => {
    const read = draft === null ? undefined : readPrice(draft);
    if (read !== undefined) dispatch({ type: "priceSet", price: read });
    setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setDraft(null);
    else if (event.key !== "Enter" || unreadable) return;
    event.preventDefault();
    event.stopPropagation();
    backToCard();
  };
  const basis =
    reference === null
      ? "no price known"
      : card.price === null
        ? "reference price"
        : `reference ${formatMoney(reference, currency)}`;
  return (
    <Field
      label={`Price${currency ? ` (${currency})` : ""}`}
      hint={unreadable ? undefined : basis}
      error={unreadable && "An amount such as 0.12"}
      className="w-32"
    >
      <Input
        ref={refs.priceField}
        numeric
        value={draft ?? (price === null ? "" : shortPrice(price))}
        placeholder="0.00"
        aria-keyshortcuts="P"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
    </Field>
  );
}

function AcceptButton({ station }: { station: Station }) {
  const { card, direct, bins, run } = station;
  const text = !card.taken
    ? "Take it"
    : direct
      ? `Stow ${card.quantity}${bins.bin ? ` in ${bins.bin.name}` : ""}`
      : `Add ${card.quantity}`;
  return (
    <Button
      variant="primary"
      size="lg"
      className="max-w-full grow sm:ml-auto sm:min-w-44 sm:grow-0"
      icon={<CornerDownLeft aria-hidden="true" className="size-4" />}
      onClick={() => run({ do: "accept" })}
    >
      <span className="truncate">{text}</span>
    </Button>
  );
}

function Keys({ names }: { names: readonly string[] }): ReactNode {
  return (
    <span aria-hidden="true" className="pointer-coarse:hidden">
      {names.map((name) => (
        <Kbd key={name}>{name}</Kbd>
      ))}
    </span>
  );
}
