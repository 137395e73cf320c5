import type { ReactNode } from "react";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { PathsTo } from "@/shared/store/paths";
import { Switch } from "@/shared/ui/Checkbox";

/** One option of this browser: its name, what it does, and its control. */
export function SettingRow(props: { label: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{props.label}</span>
        <p className="mt-0.5 text-muted text-xs">
          {props.hint} · <span className="whitespace-nowrap">this device</span>
        </p>
      </div>
      {props.children}
    </div>
  );
}

/** An on/off option of the client state. */
export function SwitchSetting(props: { path: PathsTo<boolean>; label: string; hint: string }) {
  const on = useClientState(props.path);
  return (
    <SettingRow label={props.label} hint={props.hint}>
      <Switch
        label={props.label}
        hideLabel
        checked={on}
        onChange={(next) => clientStore.set(props.path, next)}
      />
    </SettingRow>
  );
}
