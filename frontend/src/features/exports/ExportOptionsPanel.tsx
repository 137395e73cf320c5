import { Eye, History } from "lucide-react";
import { optionsOf } from "@/shared/lib/names";
import { Button } from "@/shared/ui/Button";
import { CheckField } from "@/shared/ui/Checkbox";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { csvColumns, exportKinds, updateFields } from "./kinds";
import type { ExportScope } from "./model";
import type { ExportChoice } from "./options";
import { WantedListField } from "./WantedListField";

type Box = keyof { [N in keyof ExportChoice as ExportChoice[N] extends boolean ? N : never]: N };

/** What goes into the file and how. Nothing here needs a confirmation: the button uses it. */
export function ExportOptionsPanel(props: {
  scope: ExportScope;
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
  onOpen: (dialog: "preview" | "earlier") => void;
}) {
  const { scope, choice, onChange, onOpen } = props;
  const { kind } = choice;
  const box = (name: Box, label: string, hint?: string) => (
    <CheckField
      label={label}
      hint={hint}
      value={choice[name]}
      onChange={(checked) => onChange({ [name]: checked })}
    />
  );
  return (
    <div className="flex w-72 max-w-full flex-col gap-3">
      <ChoiceField
        label="Format"
        hint={exportKinds.find((one) => one.value === kind)?.hint}
        value={kind}
        onChange={(value) => onChange({ kind: value })}
        options={exportKinds}
      />
      {scope.scope === "batch" && (
        <ChoiceField
          label="Which items"
          value={choice.state}
          onChange={(value) => onChange({ state: value })}
          options={stateOptions}
        />
      )}
      {kind === "mass_update" && (
        <Choices
          legend="Send as it is now"
          hint="With none chosen: exactly what differs from what BrickLink last received, quantity included."
          all={updateFields}
          chosen={choice.update_fields}
          onChange={(update_fields) => onChange({ update_fields })}
        />
      )}
      {kind === "csv" && (
        <Choices
          legend="Columns"
          hint="With none chosen: every column there is."
          all={csvColumns}
          chosen={choice.columns}
          onChange={(columns) => onChange({ columns })}
        />
      )}
      {kind === "wanted_list" && (
        <WantedListField
          value={choice.wanted_list_id}
          onChange={(wanted_list_id) => onChange({ wanted_list_id })}
        />
      )}
      {kind !== "csv" &&
        kind !== "wanted_list" &&
        box("carry_location", "Remarks name the bin", binHint(choice))}
      <InputField
        label="Remarks template"
        hint="{location} {remarks} {comments} {number} {color}; empty: none."
        value={choice.remarks_template}
        maxLength={200}
        placeholder="{location}"
        onChange={(text) => onChange({ remarks_template: text })}
      />
      {box("include_zero_quantity", "Lots with quantity 0 too")}
      {kind !== "mass_upload" &&
        kind !== "wanted_list" &&
        box("include_incomplete", "Incomplete lots too", "Those that are not in the catalogue.")}
      {kind === "mass_upload" &&
        box(
          "include_listed",
          "Lots that are in your store too",
          "Those with a BrickLink lot id. BrickLink would list them a second time.",
        )}
      {(kind === "mass_upload" || kind === "wanted_list") &&
        box(
          "include_unknown",
          "Unknown items too",
          "Numbers that are not in the catalogue. BrickLink may refuse the whole file.",
        )}
      {kind === "bsx" &&
        box(
          "compatible",
          "For BrickSync or BrickStock",
          "Older programs: with a DOCTYPE and without the currency.",
        )}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={Eye} onClick={() => onOpen("preview")}>
          Preview
        </Button>
        <Button size="sm" variant="ghost" icon={History} onClick={() => onOpen("earlier")}>
          Earlier exports
        </Button>
      </div>
      <p className="text-muted text-xs">
        These are kept in this browser. The button uses them without asking. Writing a file does not
        mark anything as listed.
      </p>
    </div>
  );
}

/** Shows the effect on the Remarks of a lot in a bin, by an example. */
function binHint({ carry_location, remarks_template }: ExportChoice): string {
  if (remarks_template) return "The template below decides.";
  return carry_location
    ? "“light wear” in B-07 goes out as “B-07 light wear”, no Remarks as “B-07”."
    : "“light wear” in B-07 goes out as “light wear”: the bin is left out.";
}

/** Boxes to tick; the order of ticking is the order kept. */
function Choices<Value extends string>(props: {
  legend: string;
  hint: string;
  all: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}) {
  const { legend, hint, all, chosen, onChange } = props;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-1">
        {all.map(({ value, label }) => (
          <CheckField
            key={value}
            label={label}
            value={chosen.includes(value)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          />
        ))}
      </div>
      <p className="text-muted text-xs">{hint}</p>
    </fieldset>
  );
}

const stateOptions = optionsOf({
  all: "All items",
  new: "New only",
  stowed: "Stowed only",
  listed: "Listed only",
});
