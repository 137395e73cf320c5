import { useQuery } from "@tanstack/react-query";
import { ChevronDown, MapPin, PackageCheck, Plus } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { type Bin, BinPicker, LocationForm } from "@/features/locations/public";
import { useFreshFigures } from "@/features/marketplace/public";
import { readPrice, shortPrice, wholeOf, whyNotPieces } from "@/shared/lib/amounts";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { Combobox } from "@/shared/ui/Combobox";
import { Field, InputField } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ColorName } from "@/shared/ui/Lot";
import { ErrorState, LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { BatchDialog } from "./adding/BatchDialog";
import { stockQueries } from "./adding/queries";
import type { BatchChoice } from "./adding/useBatchChoice";
import { rememberColor } from "./colorHabits";
import { type ColorOption, NO_COLOR, narrowColors } from "./colorRanking";
import type { CatalogItem, CatalogLot } from "./model";
import { useAddToBatch, useStowNow, useTakeBack } from "./mutations";
import { catalogQueries } from "./queries";

/** The most pieces of an item that are added at once. */
const MOST_AT_ONCE = 99_999;

/** The dialog over the form: the choice of the batch, of the bin, or a new bin. */
type Choosing = null | { what: "batch" | "bin" } | { what: "newBin"; name: string };

type Props = {
  item: CatalogItem;
  lot: CatalogLot | null;
  /**
   * False where the catalogue knows no colours of it: a part's is named, all else has none.
   * Undefined until its colours are read.
   */
  hasColors: boolean | undefined;
  condition: "N" | "U";
  currency?: string;
  batches: BatchChoice;
};

/** Adds the chosen colour to a batch: how many, for how much, into which batch and bin. */
export function AddToBatch(props: Props) {
  const { item, lot, hasColors, currency, batches } = props;
  const [choosing, setChoosing] = useState<Choosing>(null);
  const typed = useTyped(props);
  const { bin, destinations, blocked } = typed;
  const { add, stow } = useWrites(props, typed);
  const { batch } = batches;
  const error = add.error ?? stow.error;

  return (
    <Card title="Add to batch">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.run();
        }}
        noValidate
        className="flex flex-col gap-3"
      >
        {error && <Notice tone="danger">{problemText(error)}</Notice>}
        {batches.refusal && <Notice tone="warning">{batches.refusal}</Notice>}
        {batches.error !== null && (
          <ErrorState
            title="Your batches could not be read"
            error={batches.error}
            onRetry={batches.tryAgain}
          />
        )}
        <div className="flex flex-wrap items-end gap-3">
          {typed.namesColor ? (
            <NameColor onColor={typed.setNamed} />
          ) : (
            <ChosenColor item={item} lot={lot} hasColors={hasColors} />
          )}
          <InputField
            label="Quantity"
            error={typed.quantity.value !== "" && typed.quantityProblem}
            className="w-24"
            numeric
            inputMode="numeric"
            {...typed.quantity}
          />
          <InputField
            label={`Price${currency ? ` (${currency})` : ""}`}
            error={typed.amount === undefined && "An amount such as 0.12"}
            className="w-28"
            numeric
            value={typed.priceText}
            placeholder="0.00"
            onChange={typed.setPrice}
          />
          <Opener
            label="Batch"
            loading={batches.loading}
            onClick={() => setChoosing({ what: "batch" })}
          >
            <span className="max-w-56 truncate font-semibold">{batch?.name ?? "Choose…"}</span>
          </Opener>
          {lot && (
            <Opener
              label={typed.ownBin || !bin ? "Bin" : "Bin, as recommended"}
              problem={<LoadProblem query={destinations} what="The bins for it" />}
              icon={<MapPin aria-hidden="true" className="size-4 text-muted" />}
              loading={destinations.isPending}
              onClick={() => setChoosing({ what: "bin" })}
            >
              <span className="max-w-40 truncate font-semibold">{bin?.name ?? "none yet"}</span>
            </Opener>
          )}
          <Button
            type="submit"
            variant="primary"
            icon={Plus}
            loading={add.isPending}
            disabledReason={blocked}
          >
            Add to batch
          </Button>
          {lot && (
            <Button
              icon={PackageCheck}
              loading={stow.isPending}
              onClick={stow.run}
              disabledReason={blocked || (!bin && whyNoBin(destinations))}
            >
              {bin ? `Stow now in ${bin.name}` : "Stow now"}
            </Button>
          )}
          {batch && !blocked && (
            <ButtonLink variant="ghost" to={pathTo("batches", { batch: batch.id })}>
              Open the batch
            </ButtonLink>
          )}
        </div>
      </form>
      <ChoosingDialogs {...{ item, batches, typed, choosing }} onChoosing={setChoosing} />
    </Card>
  );
}

/** What is typed and chosen, and why it cannot be added yet. */
function useTyped({ item, lot, hasColors, condition, batches }: Props) {
  const quantity = useControl("1");
  const [price, setPrice] = useState<string | null>(null);
  const [ownBin, setOwnBin] = useState<Bin | null>(null);
  const [named, setNamed] = useState<ColorOption | null>(null);
  const namesColor = hasColors === false && item.item_type === "PART";
  const color = namesColor ? named : NO_COLOR;

  useFreshFigures(lot, condition);
  const suggested = lot?.suggested_price ?? null;
  const priceText = price ?? (suggested === null ? "" : shortPrice(suggested));
  const amount = readPrice(priceText);
  const quantityProblem = whyNotPieces(quantity.value, MOST_AT_ONCE);
  const blocked = !batches.batch
    ? "Choose a batch first"
    : hasColors === undefined
      ? "Its colours are not known yet"
      : (hasColors && !lot) || !color
        ? "Choose a colour first"
        : (quantityProblem ?? (amount === undefined && "The price cannot be read"));

  const pieces = quantityProblem ? 1 : wholeOf(quantity.value);
  const destinations = useQuery({
    ...stockQueries.destinations(lot?.id ?? 0, condition, pieces),
    enabled: lot !== null,
  });
  const bin: Bin | null = ownBin ?? destinations.data?.find((each) => each.recommended) ?? null;
  const name = [item.item_number, lot?.color_name ?? named?.name].filter(Boolean).join(" ");
  return {
    ...{ quantity, quantityProblem, priceText, amount, setPrice, namesColor, setNamed, color },
    ...{ pieces, bin, ownBin, setOwnBin, blocked, words: `${pieces} × ${name}` },
    destinations,
  };
}

/** Adds it to the batch, or stows it at once; the toasts undo both. */
function useWrites({ item, lot, condition, batches }: Props, typed: ReturnType<typeof useTyped>) {
  const { color, pieces, amount, bin, words } = typed;
  const { batch } = batches;
  const add = useAddToBatch();
  const stow = useStowNow();
  const takeBack = useTakeBack();
  const blocked = typed.blocked || add.isPending || stow.isPending;
  const row = () => ({
    batch_id: batch?.id ?? 0,
    ...(lot
      ? { lot_id: lot.id }
      : {
          item_type: item.item_type,
          item_number: item.item_number,
          color_id: color?.colorId ?? 0,
        }),
    qty: pieces,
    condition,
    ...(amount != null && { price: amount }),
    // Planned for it: the walk to the bins brings it there.
    ...(bin && { user_inventory_item_location_id: bin.id }),
  });
  const undo = (id: number) => takeBack.mutate(id, { onSuccess: () => toast.info("Undone") });

  const addIt = () => {
    if (blocked || !batch) return;
    stow.reset();
    rememberColor(lot?.color_id ?? color?.colorId ?? NO_COLOR.colorId);
    add.mutate(row(), {
      onSuccess: ({ id }) =>
        toast.success(`${words} added to ${batch.name}`, {
          action: { label: "Undo", run: () => undo(id) },
        }),
    });
  };
  const stowIt = () => {
    if (blocked || !bin) return;
    add.reset();
    if (lot) rememberColor(lot.color_id);
    stow.mutate(
      { ...row(), user_inventory_item_location_id: bin.id },
      {
        onSuccess: async ({ undo }) => {
          const { tellMade } = await import("@/shared/table/editing/tellMade");
          const told = `${words} stowed in ${bin.name}`;
          await tellMade({ table: "inventory", words: told, remove: undo });
        },
      },
    );
  };
  return { add: { ...add, run: addIt }, stow: { ...stow, run: stowIt } };
}

function ChoosingDialogs(props: {
  item: CatalogItem;
  batches: BatchChoice;
  typed: ReturnType<typeof useTyped>;
  choosing: Choosing;
  onChoosing: (choosing: Choosing) => void;
}) {
  const { item, batches, typed, choosing, onChoosing } = props;
  const onClose = () => onChoosing(null);
  const chooseBin = ({ id, name }: Bin) => {
    typed.setOwnBin({ id, name });
    onClose();
  };
  switch (choosing?.what) {
    case "batch":
      return (
        <BatchDialog
          current={batches.batch?.id ?? null}
          onClose={onClose}
          onChoose={(id) => {
            batches.choose(id);
            onClose();
          }}
        />
      );
    case "bin":
      return (
        <BinPicker
          title={`A bin for ${typed.words}`}
          pieces={{ quantity: typed.pieces, grams: item.weight ? Number(item.weight) : null }}
          alternatives={(typed.destinations.data ?? [])
            .filter(({ id }) => id !== typed.bin?.id)
            .slice(0, 3)}
          onClose={onClose}
          onChoose={chooseBin}
          onNewBin={(name) => onChoosing({ what: "newBin", name })}
        />
      );
    case "newBin":
      return <LocationForm name={choosing.name} onClose={onClose} onSaved={chooseBin} />;
    default:
      return null;
  }
}

const whyNoBin = ({ isPending, error }: { isPending: boolean; error: Error | null }) =>
  isPending ? "Looking for a bin" : error ? "No bin could be looked up" : "No bin has room";

function ChosenColor({ item, lot, hasColors }: Pick<Props, "item" | "lot" | "hasColors">) {
  return (
    <p className="flex min-h-8 min-w-40 items-center gap-3 font-semibold">
      {lot ? (
        <>
          <ItemImage
            src={lot.image_url}
            type={item.item_type}
            name={item.item_name}
            colorName={lot.color_name}
            colorHtml={lot.color_html}
            size="row"
          />
          <ColorSwatch html={lot.color_html} size="lg" /> {lot.color_name}
        </>
      ) : (
        <span className="font-normal text-muted">
          {hasColors === false ? "Without a colour" : "Choose a colour below"}
        </span>
      )}
    </p>
  );
}

/** Shows what is chosen, and opens the dialog that chooses another one. */
function Opener(props: {
  label: string;
  problem?: ReactNode;
  icon?: ReactElement;
  loading: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const { label, problem, children, ...button } = props;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {problem}
      <span className="font-medium text-xs">{label}</span>
      <Button aria-haspopup="dialog" className="min-w-0" {...button}>
        {children}
        <ChevronDown aria-hidden="true" className="size-4 text-muted" />
      </Button>
    </div>
  );
}

/** Names the colour of a part of which the catalogue knows none: any there is. */
function NameColor({ onColor }: { onColor: (color: ColorOption | null) => void }) {
  const colors = useQuery(catalogQueries.colors());
  const [text, setText] = useState("");
  return (
    <Field
      label="Colour"
      required
      className="w-56"
      hint={colors.error ? <LoadProblem query={colors} what="The colours" /> : undefined}
    >
      <Combobox
        text={text}
        onText={(typed) => {
          setText(typed);
          onColor(null);
        }}
        options={narrowColors([], colors.data ?? [], text)}
        getKey={({ colorId }) => String(colorId)}
        renderOption={({ name, html }) => <ColorName name={name} html={html} />}
        onPick={(color) => {
          setText(color.name);
          onColor(color);
        }}
        loading={colors.isPending}
        empty={
          colors.error
            ? "The colours could not be loaded."
            : text.trim() === ""
              ? "Type a part of its name."
              : "No such colour."
        }
        placeholder="Name"
      />
    </Field>
  );
}
