import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  keepLabelSettings,
  locationQueries,
  readLabelSettings,
  ShiftFields,
} from "@/features/locations/public";
import { ChoiceField } from "@/shared/ui/Field";
import { ErrorState, Loading } from "@/shared/ui/states";
import { SettingRow } from "./SettingRow";

/** The paper and the printer, as the label dialog begins with them. */
export function LabelSettings() {
  const layouts = useQuery(locationQueries.labelLayouts());
  const [kept, setKept] = useState(readLabelSettings);
  const keep = (changes: Partial<typeof kept>) => {
    const next = { ...kept, ...changes };
    setKept(next);
    keepLabelSettings(next);
  };
  if (layouts.isError) {
    return <ErrorState error={layouts.error} onRetry={() => layouts.refetch()} />;
  }
  if (!layouts.data) return <Loading />;
  return (
    <>
      <SettingRow
        label="Paper"
        hint="The paper for labels, unless you choose another when printing."
      >
        <ChoiceField
          label="Paper"
          hideLabel
          className="w-72 max-w-full"
          value={kept.layout}
          options={layouts.data.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) => keep({ layout: value })}
        />
      </SettingRow>
      <SettingRow label="Paper for addresses" hint="The paper for address labels of orders.">
        <ChoiceField
          label="Paper for addresses"
          hideLabel
          className="w-72 max-w-full"
          value={kept.addressLayout}
          options={layouts.data
            .filter((each) => each.takes_addresses)
            .map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(value) => keep({ addressLayout: value })}
        />
      </SettingRow>
      <SettingRow
        label="Printer correction"
        hint="How far the printer is off, in millimetres; the test page of the label dialog shows it."
      >
        <div className="flex gap-3">
          <ShiftFields shift={kept} onChange={keep} className="w-28" />
        </div>
      </SettingRow>
    </>
  );
}
