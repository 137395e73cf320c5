import { useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type * as z from "zod/mini";
import { problemFields, problemText } from "@/shared/lib/problem";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";

export type ZodForm<Values extends FieldValues> = UseFormReturn<Values> & {
  /** What the server said that belongs to no single field. */
  problem: string | null;
  /** For <form onSubmit>: validates, sends, and puts refusals where they belong. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
};

/**
 * A form whose rules are a zod schema. `onSubmit` gets the parsed values; what it throws is shown:
 * messages by field beside their fields, the rest as `problem`. Errors of typing appear 300 ms
 * after the last key.
 */
export function useZodForm<Values extends FieldValues>(options: {
  schema: z.ZodMiniType<Values, Values>;
  defaultValues: DefaultValues<Values>;
  onSubmit: (values: Values) => Promise<unknown>;
}): ZodForm<Values> {
  const { schema, defaultValues, onSubmit } = options;
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues,
    mode: "onTouched",
    delayError: DEBOUNCE_MS,
  });

  const send = form.handleSubmit(async (values) => {
    setProblem(null);
    try {
      await onSubmit(values);
    } catch (error) {
      const fields = Object.entries(problemFields(error));
      const known = fields.filter(([name]) => name in values);
      for (const [name, texts] of known) {
        form.setError(name as Path<Values>, { message: texts.join(" ") }, { shouldFocus: true });
      }
      if (known.length === 0 || known.length < fields.length) setProblem(problemText(error));
    }
  });
  return { ...form, problem, submit: send };
}

function zodResolver<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
): Resolver<Values> {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: FieldErrors = {};
    for (const issue of result.error.issues) {
      const name = issue.path.join(".");
      errors[name] ??= { type: issue.code ?? "invalid", message: issue.message };
    }
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}
