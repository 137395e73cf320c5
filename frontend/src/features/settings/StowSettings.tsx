import { LetterKeys } from "@/features/stow/public";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SettingRow, SwitchSetting } from "./SettingRow";

const lookups = { PART: "Part", MINIFIG: "Minifig", SET: "Set", ANY: "Any" };

export function StowSettings() {
  return (
    <>
      <ConditionSetting />
      <SwitchSetting
        path="options.stowDirectly"
        label="Stow at once"
        hint="On: put an item into its bin as it is added. Off: plan the bin for the put-away walk."
      />
      <SwitchSetting
        path="options.webcamStayActive"
        label="Webcam stays active"
        hint="On: keep scanning after a match. Off: take one picture and switch the camera off."
      />
      <LookupSetting />
      <SwitchSetting
        path="options.sounds"
        label="Sounds"
        hint="Plays a tone for each item added and for each error."
      />
      <SwitchSetting
        path="options.stationLettersOn"
        label="Letter keys"
        hint="Off: a letter does nothing by itself at the station, and works with Alt."
      />
      <div className="border-line border-t px-4 py-3">
        <LetterKeys />
      </div>
    </>
  );
}

function LookupSetting() {
  const lookup = useClientState("options.lookupType");
  return (
    <SettingRow label="Look for" hint="The type of item that the camera looks for.">
      <SegmentedControl
        label="Look for"
        value={lookup}
        options={lookups}
        onChange={(value) => clientStore.set("options.lookupType", value)}
      />
    </SettingRow>
  );
}

function ConditionSetting() {
  const condition = useClientState("itemBeingProcessed.condition");
  return (
    <SettingRow
      label="Condition"
      hint="The condition of the next item; a key on the stow page changes it."
    >
      <SegmentedControl
        label="Condition"
        value={condition}
        options={conditionNames}
        onChange={(value) => clientStore.set("itemBeingProcessed.condition", value)}
      />
    </SettingRow>
  );
}
