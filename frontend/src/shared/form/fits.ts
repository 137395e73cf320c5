import * as z from "zod/mini";

/** A schema check made from a rule that returns the reason of a refusal, or null. */
export function fits<Value>(whyNot: (value: Value) => string | null) {
  return z.superRefine<Value>((value, context) => {
    const message = whyNot(value);
    if (message !== null) context.addIssue({ code: "custom", message, input: value });
  });
}

/** The same for two fields: `whyNot` gets the whole form; its reason is shown at `name`. */
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
