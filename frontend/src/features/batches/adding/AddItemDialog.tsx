import { useQuery } from "@tanstack/react-query";
import { MapPin, Plus, Undo2 } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { type CatalogItem, catalogQueries, narrowColors } from "@/features/catalog/public";
import { type Bin, LocationPicker } from "@/features/locations/public";
import { formatCount } from "@/shared/lib/format";
import { useDebounced } from "@/shared/lib/useDebounced";
import { priceText } from "@/shared/lib/worth";
import { rowEditor } from "@/shared/table/editing/rowEditor";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ColorSwatch } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Combobox } from "@/shared/ui/Combobox";
import { ChoiceField, Field, InputField } from "@/shared/ui/Field";
import { ColorName, conditionOptions, ItemTypeTag } from "@/shared/ui/Lot";
import { isSecondEnter } from "@/shared/ui/secondPress";
import { Notice } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { Batch, BatchItem } from "../model";
import { itemName } from "../rules";
import { asTypedFirst } from "./draft";
import { useItemDraft } from "./useItemDraft";

/** Adds items to a batch one after the other: Enter adds, and the next one is typed. */
export function AddItemDialog(props: {
  batch: Batch;
  /** Of the table whose history names what is added and taken back. */
  historyKey: string;
  onClose: () => void;
}) {
  const { batch, historyKey, onClose } = props;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { added, add, takeBack } = useAdded(historyKey);
  const typed = useItemDraft({ batchId: batch.id, form, onAdded: add });
  const { draft, change, problems } = typed;

  return (
    <ActDialog
      onClose={onClose}
      title="Add item"
      description={`To ${batch.name}. Enter adds it, and the next one can be typed.`}
      size="md"
      locked={draft.item !== null || typed.adding}
      act="Add"
      icon={Plus}
      pending={typed.adding}
      form={id}
      closeLabel="Close"
    >
      <form
        id={id}
        ref={form}
        noValidate
        onKeyDown={(event) => {
          const adds = meansAdd(event);
          if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
            event.preventDefault();
          }
          if (adds && !isSecondEnter(event)) typed.submit();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          typed.submit();
        }}
        className="flex flex-col gap-4"
      >
        {typed.error && <Notice tone="danger">{typed.error}</Notice>}
        <div data-field="item">
          <ItemField
            text={draft.itemText}
            item={draft.item}
            error={problems.item}
            onText={(itemText) =>
              change({ itemText, item: null, color: null, colorText: null, price: null })
            }
            onPick={(item) =>
              change({ item, itemText: `${item.item_number} ${item.item_name}`.trim() })
            }
          />
        </div>
        <LotFields typed={typed} />
        <BinField key={typed.turn} typed={typed} />
      </form>
      <AddedList items={added} onTakeBack={(item) => void takeBack(item)} />
    </ActDialog>
  );
}

/** The items that were added, and the way back. Both are in the history of the table. */
function useAdded(historyKey: string) {
  const [added, setAdded] = useState<readonly BatchItem[]>([]);
  const add = (row: BatchItem) => {
    setAdded((before) => [row, ...before]);
    void rowEditor<BatchItem>(historyKey).then((editor) => editor.noteCreated([row]));
  };
  const takeBack = async (item: BatchItem) => {
    try {
      const editor = await rowEditor<BatchItem>(historyKey);
      const refused = await editor.deleteRows([item]);
      if (refused.length === 0) setAdded((before) => before.filter(({ id }) => id !== item.id));
    } catch (error) {
      tellFailure(error);
    }
  };
  return { added, add, takeBack };
}

type Typed = { typed: ReturnType<typeof useItemDraft> };

/** In which colour and condition, how many, and for how much. */
function LotFields({ typed }: Typed) {
  const { draft, change, problems } = typed;
  return (
    <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      <div data-field="color" className="col-span-2">
        <ColorField typed={typed} />
      </div>
      <ChoiceField
        label="Condition"
        className="col-span-2"
        value={typed.condition}
        options={conditionOptions}
        onChange={(value) => typed.setCondition(value === "N" ? "N" : "U")}
      />
      <div data-field="quantity" className="col-span-1 sm:col-span-2">
        <InputField
          label="Quantity"
          error={problems.quantity}
          required
          numeric
          inputMode="numeric"
          value={draft.quantity}
          onFocus={({ target }) => target.select()}
          onChange={(text) => change({ quantity: text })}
        />
      </div>
      <InputField
        label="Price per piece"
        error={problems.price}
        className="col-span-1 sm:col-span-2"
        numeric
        value={typed.price}
        placeholder="none yet"
        onFocus={({ target }) => target.select()}
        onChange={(text) => change({ price: text })}
      />
    </div>
  );
}

function ColorField({ typed }: Typed) {
  const { draft, change, colors, color, colorText } = typed;
  const hasColors = colors.needsColor || draft.item?.item_type === "GEAR";
  const isUnknown = color && !color.isKnown && colors.isTold;
  const empty = colors.needsColor ? "No such colour." : "It comes in no colour.";
  const needsNone = draft.item && colors.isReady && !colors.needsColor;
  return (
    <Field
      label="Colour"
      error={typed.problems.color}
      hint={isUnknown ? "It is not in the catalogue in this colour." : null}
      required={colors.needsColor}
    >
      <Combobox
        text={colorText}
        onText={(text) => change({ colorText: text, color: null, price: null })}
        options={
          hasColors
            ? asTypedFirst(narrowColors(colors.options, colors.all, colorText), colorText)
            : []
        }
        getKey={({ colorId }) => String(colorId)}
        renderOption={(option) => (
          <span className="flex items-center justify-between gap-3">
            <ColorName name={option.name} html={option.html} />
            {!option.isKnown && <span className="text-muted text-xs">not known in it</span>}
          </span>
        )}
        onPick={(option) => change({ color: option, colorText: option.name, price: null })}
        loading={draft.item !== null && !colors.isReady && !typed.error}
        empty={draft.item === null ? "Choose the item first." : empty}
        placeholder={needsNone ? "Without a colour" : "Name"}
      />
    </Field>
  );
}

function BinField({ typed }: Typed) {
  const { draft, change, recommended } = typed;
  const plan = ({ id, name }: Bin) => change({ location: { id, name }, locationText: name });
  return (
    <div className="flex flex-col items-start gap-1.5">
      <div className="w-full">
        <LocationPicker
          label="Planned bin"
          value={draft.location}
          error={typed.problems.location}
          onChange={(location) =>
            change(location ? { location, locationText: location.name } : { location })
          }
          onTyped={(locationText) => change({ locationText })}
          canCreate
        />
      </div>
      {recommended && recommended.id !== draft.location?.id && (
        <Button
          size="sm"
          variant="ghost"
          icon={<MapPin aria-hidden="true" className="size-3.5" />}
          onClick={() => plan(recommended)}
        >
          Plan {recommended.name}, as recommended
        </Button>
      )}
    </div>
  );
}

/** Whether Enter in a field means to add: in an open list it takes from that, be it still empty. */
function meansAdd({ key, target, nativeEvent, defaultPrevented }: KeyboardEvent): boolean {
  return (
    key === "Enter" &&
    target instanceof HTMLInputElement &&
    !nativeEvent.isComposing &&
    !defaultPrevented &&
    target.getAttribute("aria-expanded") !== "true"
  );
}

const SHOWN = 5;

/** What was added since the dialog was opened, newest first. */
function AddedList(props: { items: readonly BatchItem[]; onTakeBack: (item: BatchItem) => void }) {
  const { items } = props;
  const [last] = items;
  return (
    <section className="mt-4 flex flex-col gap-1.5">
      <p role="status" className="font-medium text-muted text-xs">
        {last &&
          `Added ${formatCount(last.qty)} × ${itemName(last)}; ${formatCount(items.length)} so far`}
      </p>
      {items.length > 0 && (
        <ul aria-label="Added" className="divide-y divide-line rounded-control border border-line">
          {items.slice(0, SHOWN).map((item) => (
            <li key={item.id} className="flex items-center gap-2 py-1 pr-1 pl-2.5 text-sm">
              <span className="shrink-0 tabular-nums">{formatCount(item.qty)} ×</span>
              <ColorSwatch html={item.color_html} />
              <span className="min-w-0 flex-1 truncate" title={item.item_name}>
                {itemName(item)}
                {item.user_inventory_item_location_name &&
                  ` → ${item.user_inventory_item_location_name}`}
              </span>
              <span className="shrink-0 text-muted tabular-nums">{priceText(item.price)}</span>
              <Button
                size="sm"
                variant="ghost"
                // The next one moves up under the pointer.
                once
                icon={<Undo2 aria-hidden="true" className="size-3.5" />}
                aria-label={`Take ${itemName(item)} back`}
                onClick={() => props.onTakeBack(item)}
              >
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const HITS = 12;

/** Finds an item of the catalogue by number or name. */
function ItemField(props: {
  text: string;
  item: CatalogItem | null;
  error?: string;
  onText: (text: string) => void;
  onPick: (item: CatalogItem) => void;
}) {
  const { text, item } = props;
  const typed = text.trim();
  const search = useDebounced(typed);
  const hits = useQuery(catalogQueries.search({ text: item ? "" : search, limit: HITS }));
  const isStale = search !== typed || hits.isPending || hits.isPlaceholderData;
  return (
    <Field label="Item" error={props.error} required>
      <Combobox
        text={text}
        onText={props.onText}
        options={item || typed === "" ? [] : (hits.data?.data ?? [])}
        getKey={({ id }) => String(id)}
        renderOption={(hit) => (
          <span className="flex items-center gap-2">
            <ItemTypeTag type={hit.item_type} short />
            <span className="font-mono text-muted text-xs">{hit.item_number}</span>
            <span className="min-w-0 truncate">{hit.item_name}</span>
          </span>
        )}
        onPick={props.onPick}
        loading={!item && typed !== "" && (hits.isFetching || isStale)}
        isStale={!item && isStale}
        isChosen={item !== null}
        empty={hits.error ? "The catalogue does not answer." : "The catalogue has nothing like it."}
        placeholder="Number or name"
        autoFocus
      />
    </Field>
  );
}
