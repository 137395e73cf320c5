import { useState } from "react";
import { getSetting, setSetting } from "./localSettings";
import { isNamed } from "./names";

/** One of the names, as it was last chosen in this browser. Its fields are those of a control. */
export function useKeptChoice<Value extends string>(
  setting: string,
  names: Readonly<Record<Value, unknown>>,
  first: NoInfer<Value>,
) {
  const [value, setValue] = useState<Value>(() => {
    const kept = getSetting<string>(setting);
    return isNamed(names, kept) ? kept : first;
  });
  const onChange = (next: Value) => {
    setSetting(setting, next);
    setValue(next);
  };
  return { value, onChange };
}
