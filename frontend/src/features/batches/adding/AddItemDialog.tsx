import { MapPin, Plus } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { narrowColors } from "@/features/catalog/public";
import { LocationPicker } from "@/features/locations/public";
import { rowEditor } from "@/shared/table/editing/rowEditor";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { Combobox } from "@/shared/ui/Combobox";
import { ChoiceField, Field, InputField } from "@/shared/ui/Field";
import { ColorName, conditionOptions } from "@/shared/ui/Lot";
import { isSecondEnter } from "@/shared/ui/secondPress";
import { Notice } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { Batch, BatchItem } from "../model";
import { AddedList } from "./AddedList";
import { asTypedFirst } from "./draft";
import { ItemField } from "./ItemField";
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
  const [added, setAdded] = useState<readonly BatchItem[]>([]);
  const typed = useItemDraft({
    batchId: batch.id,
    form,
    onAdded: (row) => {
      setAdded((before) => [row, ...before]);
      void rowEditor<BatchItem>(historyKey).then((editor) => editor.noteCreated([row]));
    },
  });
  const { draft, change, colors, color, problems, recommended } = typed;

  const takeBack = async (item: BatchItem) => {
    try {
      const editor = await rowEditor<BatchItem>(historyKey);
      const refused = await editor.deleteRows([item]);
      if (refused.length === 0) setAdded((before) => before.filter(({ id }) => id !== item.id));
    } catch (error) {
      tellFailure(error);
    }
  };
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
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <div data-field="color" className="col-span-2">
            <Field
              label="Colour"
              error={problems.color}
              hint={
                color && !color.isKnown && colors.isTold
                  ? "It is not in the catalogue in this colour."
                  : null
              }
              required={colors.needsColor}
            >
              <Combobox
                text={typed.colorText}
                onText={(colorText) => change({ colorText, color: null, price: null })}
                options={
                  colors.needsColor || draft.item?.item_type === "GEAR"
                    ? asTypedFirst(
                        narrowColors(colors.options, colors.all, typed.colorText),
                        typed.colorText,
                      )
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
                empty={
                  draft.item === null
                    ? "Choose the item first."
                    : colors.needsColor
                      ? "No such colour."
                      : "It comes in no colour."
                }
                placeholder={
                  draft.item && colors.isReady && !colors.needsColor ? "Without a colour" : "Name"
                }
              />
            </Field>
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
        <div className="flex flex-col items-start gap-1.5">
          <div className="w-full">
            <LocationPicker
              key={typed.turn}
              label="Planned bin"
              value={draft.location}
              error={problems.location}
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
              onClick={() =>
                change({
                  location: { id: recommended.id, name: recommended.name },
                  locationText: recommended.name,
                })
              }
            >
              Plan {recommended.name}, as recommended
            </Button>
          )}
        </div>
      </form>
      <AddedList items={added} onTakeBack={(item) => void takeBack(item)} />
    </ActDialog>
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
