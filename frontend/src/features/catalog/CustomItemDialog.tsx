import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { type ItemType, isItemType, itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { catalogQueries } from "./queries";

/** What the catalogue does not know, in the person's own words. */
export type CustomItem = {
  type: ItemType;
  /** Empty only for an unsorted lot, which its name describes. */
  number: string;
  name: string;
  colorId: number;
  colorName: string;
  colorHtml: string | null;
};

const typeOptions = itemTypes.map((type) => ({ value: type, label: itemTypeNames[type] }));
/** Parts and gear are sold in colours; the others have none. */
const COLORED: ReadonlySet<ItemType> = new Set(["PART", "GEAR"]);

/** Names an item that the catalogue does not have; it can be stowed and exported like any other. */
export function CustomItemDialog(props: {
  /** What was searched: a number, or words. */
  text: string;
  /** Where it goes: "Add to Attic finds". */
  submitLabel: string;
  blocked?: string | null;
  onClose: () => void;
  onAdd: (item: CustomItem) => void;
}) {
  const { text, submitLabel, blocked, onClose, onAdd } = props;
  const id = useId();
  const looksLikeNumber = /^\S*\d\S*$/.test(text.trim());
  const [type, setType] = useState<ItemType>("PART");
  const number = useControl(looksLikeNumber ? text.trim() : "");
  const name = useControl(looksLikeNumber ? "" : text.trim());
  const colorId = useControl("");
  const colorList = useQuery(catalogQueries.colors());
  const colors = colorList.data ?? [];
  const color = colors.find((each) => String(each.id) === colorId.value);
  const isColored = COLORED.has(type);
  const missing =
    number.value.trim() === "" && !(type === "UNSORTED_LOT" && name.value.trim() !== "")
      ? "Type a number, your own if it has none"
      : isColored && !color
        ? "Choose a colour"
        : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing || blocked) return;
    onAdd({
      type,
      number: number.value.trim(),
      name: name.value.trim(),
      colorId: isColored ? (color?.id ?? 0) : 0,
      colorName: isColored ? (color?.name ?? "") : "",
      colorHtml: isColored ? (color?.color_html ?? null) : null,
    });
  };
  return (
    <ActDialog
      onClose={onClose}
      title="Custom item"
      description="It is not in the catalogue. It is kept as you name it, and completed once the catalogue has it."
      size="sm"
      act={submitLabel}
      why={blocked ?? missing}
      form={id}
    >
      <form id={id} onSubmit={submit} noValidate className="flex flex-col gap-4">
        <ChoiceField
          label="Type"
          value={type}
          options={typeOptions}
          onChange={(value) => isItemType(value) && setType(value)}
        />
        <InputField
          label="Number"
          required={type !== "UNSORTED_LOT"}
          autoFocus
          maxLength={64}
          {...number}
        />
        <InputField label="Name" maxLength={500} {...name} />
        {isColored && (
          <ChoiceField
            label="Colour"
            required
            hint={
              colorList.error ? <LoadProblem query={colorList} what="The colours" /> : undefined
            }
            options={[
              { value: "", label: "Choose…" },
              ...colors
                .toSorted((a, b) => a.name.localeCompare(b.name))
                .map((each) => ({ value: String(each.id), label: each.name })),
            ]}
            {...colorId}
          />
        )}
      </form>
    </ActDialog>
  );
}
