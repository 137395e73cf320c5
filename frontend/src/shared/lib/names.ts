/** Names of values, in the order in which people are offered them. */
import { entriesOf } from "./records";
export type Names<Value extends string> = Readonly<Record<Value, string>>;

export function optionsOf<Value extends string>(names: Names<Value>) {
  return entriesOf(names).map(([value, label]) => ({ value, label }));
}

export function isNamed<Value extends string>(
  names: Readonly<Record<Value, unknown>>,
  text: string | null | undefined,
): text is Value {
  return typeof text === "string" && Object.hasOwn(names, text);
}
