/** What TypeScript does not say of objects by itself: their own keys, and what unknown ones hold. */

/** The keys of an object whose type names them all. */
export const keysOf = <Thing extends object>(thing: Thing) =>
  Object.keys(thing) as (keyof Thing & string)[];

/** The entries of a record whose type names all of its keys. */
export const entriesOf = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][];

/** The members of `thing` whose names are meant. */
export function partOf<Thing extends object>(
  thing: Thing,
  isMeant: (name: keyof Thing & string) => boolean,
): Partial<Thing> {
  const part: Partial<Thing> = {};
  for (const name of keysOf(thing)) if (isMeant(name)) part[name] = thing[name];
  return part;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** What a value of any kind holds under a name; undefined where it holds nothing. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined;

/** The rows of a list that have these members, as the caller's type says what they hold. */
export function rowsWith<Row extends object>(
  list: unknown,
  ...names: readonly (keyof Row & string)[]
): Row[] {
  const rows: readonly unknown[] = Array.isArray(list) ? list : [];
  return rows.filter((row): row is Row => isRecord(row) && names.every((name) => name in row));
}

/** The element that an event names as its target; null for the document and the window. */
export const elementOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target : null;
