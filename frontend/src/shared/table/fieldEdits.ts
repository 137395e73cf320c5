/** The usual edits of a cell: each changes one field, with the API's name. */
import { priceOf, wholeOf, whyNotPrice } from "@/shared/lib/amounts";
import { numberText } from "@/shared/lib/numbers";
import type { CellEdit } from "./column";

type With<Name extends string, Value> = Record<Name, Value>;
type Check = (text: string) => string | null;

/** A text, without spaces around it. */
export function textEdit<Name extends string>(
  name: Name,
  also: { lines?: true; check?: Check } = {},
): CellEdit<With<Name, string>> {
  return {
    kind: "text",
    ...also,
    value: (row) => row[name],
    parse: (text) => change(name, text.trim()),
  };
}

/** A whole number. */
export function countEdit<Name extends string>(
  name: Name,
  check: Check,
): CellEdit<With<Name, number>> {
  return {
    kind: "number",
    places: 0,
    value: (row) => numberText(row[name]),
    check,
    parse: (text) => change(name, wholeOf(text)),
  };
}

/** A required amount of money. */
export function priceEdit<Name extends string>(name: Name): CellEdit<With<Name, string>> {
  return {
    kind: "number",
    value: (row) => numberText(row[name]),
    check: whyNotPrice,
    parse: (text) => change(name, priceOf(text)),
  };
}

/** An optional amount of money. */
export function amountEdit<Name extends string>(
  name: Name,
  also: { places?: number } = {},
): CellEdit<With<Name, string | null>> {
  const isNone = (text: string) => text.trim() === "";
  return {
    kind: "number",
    ...also,
    value: (row) => numberText(row[name]),
    check: (text) => (isNone(text) ? null : whyNotPrice(text)),
    parse: (text) => change(name, isNone(text) ? null : priceOf(text)),
  };
}

/** One of a few values. */
export function choiceEdit<Name extends string, Value extends string>(
  name: Name,
  options: readonly { value: Value; label: string }[],
): CellEdit<With<Name, Value>> {
  return {
    kind: "select",
    options,
    value: (row) => row[name],
    parse: (text) => change(name, text as Value), // one of the options
  };
}

function change<Name extends string, Value>(name: Name, value: Value) {
  return { [name]: value } as With<Name, Value>; // TypeScript loses the type of a computed name
}
