import * as z from "zod/mini";

/** A check of a schema from a rule that says why a value cannot be taken, or null. */
export function fits<Value>(whyNot: (value: Value) => string | null) {
  return z.superRefine<Value>((value, context) => {
    const message = whyNot(value);
    if (message !== null) context.addIssue({ code: "custom", message, input: value });
  });
}

/** The same for two fields: `whyNot` is given the whole, its reason appears at `name`. */
export function fitsTogether<Values>(
  name: keyof Values & string,
  whyNot: (values: Values) => string | null,
) {
  return z.superRefine<Values>((values, context) => {
    const message = whyNot(values);
    if (message !== null) {
      context.addIssue({ code: "custom", message, input: values, path: [name] });
    }
  });
}
