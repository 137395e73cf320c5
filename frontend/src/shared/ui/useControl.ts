import { useState } from "react";
import type { Control } from "./Field";

/** The state of one control without a form: `<InputField label="Name" {...name} />`. */
export function useControl<Value>(first: Value | (() => Value)): Control<Value> {
  const [value, onChange] = useState(first);
  return { value, onChange };
}
