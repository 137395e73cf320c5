import { useThemeChoice } from "@/shared/lib/useTheme";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SettingRow } from "./SettingRow";

const options = { system: "System", light: "Light", dark: "Dark" };

export function AppearanceSettings() {
  const { choice, choose } = useThemeChoice();
  return (
    <SettingRow label="Theme" hint="System follows your device's setting." home="this device">
      {() => (
        <SegmentedControl
          label="Theme"
          value={choice ?? "system"}
          options={options}
          onChange={(value) => choose(value === "system" ? null : value)}
        />
      )}
    </SettingRow>
  );
}
