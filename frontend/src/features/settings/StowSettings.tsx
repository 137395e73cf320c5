import { clientStore, useClientState } from "@/shared/store/clientStore";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SettingRow } from "./SettingRow";

const conditions = [
  { value: "N", label: "New" },
  { value: "U", label: "Used" },
] as const;

export function StowSettings() {
  const condition = useClientState("itemBeingProcessed.condition");
  return (
    <SettingRow
      label="Condition"
      hint="What the next item is taken for; the stow page has it as a key."
      home="this device"
    >
      {() => (
        <SegmentedControl
          label="Condition"
          value={condition}
          options={conditions}
          onChange={(value) => clientStore.set("itemBeingProcessed.condition", value)}
        />
      )}
    </SettingRow>
  );
}
