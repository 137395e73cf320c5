/** Names of values, in the order in which people are offered them. */
export type Names<Value extends string> = Readonly<Record<Value, string>>;

export function optionsOf<Value extends string>(names: Names<Value>) {
  // The keys of a literal are its type's.
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

export function isNamed<Value extends string>(
  names: Readonly<Record<Value, unknown>>,
  text: string | null | undefined,
): text is Value {
  return typeof text === "string" && Object.hasOwn(names, text);
}
