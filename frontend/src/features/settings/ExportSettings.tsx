import { useState } from "react";
import { exportKinds, keepExportOptions, readExportOptions } from "@/features/exports/public";
import { Switch } from "@/shared/ui/Checkbox";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { SettingRow } from "./SettingRow";

const switches = [
  {
    name: "include_zero_quantity",
    label: "Lots with quantity 0 too",
    hint: "Writes lots that are sold out as well, so that the other program remembers them.",
  },
  {
    name: "include_incomplete",
    label: "Incomplete lots too",
    hint: "Writes lots that are not in the catalogue.",
  },
  {
    name: "compatible",
    label: "For BrickSync or BrickStock",
    hint: "Writes BSX as older programs read it: with a DOCTYPE and without the currency.",
  },
] as const;

/** What the export button begins with. */
export function ExportSettings() {
  const [choice, setChoice] = useState(readExportOptions);
  const keep = (changes: Partial<typeof choice>) => {
    const next = { ...choice, ...changes };
    setChoice(next);
    keepExportOptions(next);
  };
  return (
    <>
      <SettingRow label="Format" hint="What the export button writes.">
        <ChoiceField
          label="Format"
          hideLabel
          className="w-72 max-w-full"
          value={choice.kind}
          options={exportKinds}
          onChange={(next) => {
            const found = exportKinds.find(({ value }) => value === next);
            if (found) keep({ kind: found.value });
          }}
        />
      </SettingRow>
      <SettingRow
        label="Remarks"
        hint="{location} {remarks} {comments} {number} {color}; empty leaves them as they are."
      >
        <InputField
          label="Remarks"
          hideLabel
          className="w-72 max-w-full"
          value={choice.remarks_template}
          maxLength={200}
          placeholder="{location}"
          onChange={(text) => keep({ remarks_template: text })}
        />
      </SettingRow>
      {switches.map(({ name, label, hint }) => (
        <SettingRow key={name} label={label} hint={hint}>
          <Switch
            label={label}
            hideLabel
            checked={choice[name]}
            onChange={(on) => keep({ [name]: on })}
          />
        </SettingRow>
      ))}
    </>
  );
}
