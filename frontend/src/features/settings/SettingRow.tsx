import { type ReactNode, useId } from "react";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import type { PathsTo } from "@/shared/store/paths";
import { Switch } from "@/shared/ui/Checkbox";

/** Where an option is kept: in this browser, or with the account on every device. */
export type Home = "this device" | "account";

/** One option: its name, what it does, where it is kept, and its control. */
export function SettingRow(props: {
  label: string;
  hint: ReactNode;
  home: Home;
  children: (ids: { labelId: string; hintId: string }) => ReactNode;
}) {
  const id = useId();
  const ids = { labelId: `${id}-label`, hintId: `${id}-hint` };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <span id={ids.labelId} className="font-medium">
          {props.label}
        </span>
        <p className="mt-0.5 text-muted text-xs">
          <span id={ids.hintId}>{props.hint}</span> ·{" "}
          <span className="whitespace-nowrap">{props.home}</span>
        </p>
      </div>
      {props.children(ids)}
    </div>
  );
}

/** An on/off option of the client state. */
export function SwitchSetting(props: { path: PathsTo<boolean>; label: string; hint: string }) {
  const on = useClientState(props.path);
  return (
    <SettingRow label={props.label} hint={props.hint} home="this device">
      {() => (
        <Switch
          label={props.label}
          hideLabel
          checked={on}
          onChange={(next) => clientStore.set(props.path, next)}
        />
      )}
    </SettingRow>
  );
}
