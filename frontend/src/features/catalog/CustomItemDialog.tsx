import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { type ItemType, isItemType, itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Field, Input, Select } from "@/shared/ui/Field";
import { LoadProblem } from "@/shared/ui/states";
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
  const [number, setNumber] = useState(looksLikeNumber ? text.trim() : "");
  const [name, setName] = useState(looksLikeNumber ? "" : text.trim());
  const [colorId, setColorId] = useState("");
  const colorList = useQuery(catalogQueries.colors());
  const colors = colorList.data ?? [];
  const color = colors.find((each) => String(each.id) === colorId);
  const isColored = COLORED.has(type);
  const missing =
    number.trim() === "" && !(type === "UNSORTED_LOT" && name.trim() !== "")
      ? "Type a number, your own if it has none"
      : isColored && !color
        ? "Choose a colour"
        : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (missing || blocked) return;
    onAdd({
      type,
      number: number.trim(),
      name: name.trim(),
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
        <Field label="Type">
          <Select
            value={type}
            options={typeOptions}
            onChange={({ target }) => isItemType(target.value) && setType(target.value)}
          />
        </Field>
        <Field label="Number" required={type !== "UNSORTED_LOT"}>
          <Input
            autoFocus
            value={number}
            maxLength={64}
            onChange={({ target }) => setNumber(target.value)}
          />
        </Field>
        <Field label="Name">
          <Input value={name} maxLength={500} onChange={({ target }) => setName(target.value)} />
        </Field>
        {isColored && (
          <Field
            label="Colour"
            required
            hint={
              colorList.error ? <LoadProblem query={colorList} what="The colours" /> : undefined
            }
          >
            <Select
              value={colorId}
              options={[
                { value: "", label: "Choose…" },
                ...colors
                  .toSorted((a, b) => a.name.localeCompare(b.name))
                  .map((each) => ({ value: String(each.id), label: each.name })),
              ]}
              onChange={({ target }) => setColorId(target.value)}
            />
          </Field>
        )}
      </form>
    </ActDialog>
  );
}
