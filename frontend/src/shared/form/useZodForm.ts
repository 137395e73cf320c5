import { useCallback, useEffect, useRef, useState } from "react";
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
import { watchInput } from "@/shared/lib/heldInput";
import { problemFields, problemText } from "@/shared/lib/problem";
import { DEBOUNCE_MS } from "@/shared/lib/useDebounced";
import { useStable } from "@/shared/lib/useStable";

export type ZodForm<Values extends FieldValues> = UseFormReturn<Values> & {
  /** The server's message that belongs to no single field. */
  problem: string | null;
  /** For <form onSubmit>: validates, sends, and shows refusals at their fields. */
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
};

/** Reports errors by field that only the server can find. Never throws. */
export type Judge<Values extends FieldValues> = (values: Values) => Promise<Record<string, string>>;

/**
 * A form whose rules are a zod schema. `onSubmit` gets the parsed values. Its errors are shown:
 * messages by field beside their fields, the others as `problem`. Errors while typing appear 300 ms
 * after the last key. `judge` is called for fields where the schema finds no error.
 */
export function useZodForm<Values extends FieldValues>(options: {
  schema: z.ZodMiniType<Values, Values>;
  defaultValues: DefaultValues<Values>;
  onSubmit: (values: Values) => Promise<unknown>;
  judge?: Judge<Values>;
  /** False where typed text may be left without a question: signing in, passwords. */
  guarded?: boolean;
}): ZodForm<Values> {
  const { schema, defaultValues, onSubmit, judge, guarded = true } = options;
  /** The values that were sent last, as text. */
  const saved = useRef<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm<Values>({
    resolver: zodResolver(schema, judge),
    defaultValues,
    mode: "onBlur",
    reValidateMode: "onBlur",
    delayError: DEBOUNCE_MS,
  });

  const stopValidating = useTypedValidation(form);
  useGuardedInput(form, guarded, saved);

  const send = form.handleSubmit(async (values) => {
    stopValidating(); // it would remove the server's message beside a field
    setProblem(null);
    try {
      await onSubmit(values);
      saved.current = JSON.stringify(form.getValues());
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

/**
 * Validates a field 300 ms after its last key, from the first typing on. Fields with errors are
 * validated too, since an error may concern two fields. The library's own delay is one timer for
 * all fields: typing into the next field within 300 ms would drop the first field's error.
 */
function useTypedValidation<Values extends FieldValues>({
  watch,
  trigger,
  formState: { errors },
}: UseFormReturn<Values>): () => void {
  const [timers] = useState(() => new Map<Path<Values>, ReturnType<typeof setTimeout>>());
  const validate = useStable((name: Path<Values>) => {
    timers.delete(name);
    const wrong = Object.keys(errors) as Path<Values>[];
    void trigger([name, ...wrong]);
  });
  const stop = useCallback(() => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }, [timers]);
  useEffect(() => {
    const watching = watch((_values, { name }) => {
      if (name === undefined) return stop(); // all fields changed: a reset
      clearTimeout(timers.get(name));
      timers.set(name, setTimeout(validate, DEBOUNCE_MS, name));
    });
    return () => {
      watching.unsubscribe();
      stop();
    };
  }, [watch, validate, timers, stop]);
  return stop;
}

/** The page asks before unsaved input is left, and stays when the session ends. */
function useGuardedInput<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  guarded: boolean,
  saved: { current: string | null },
): void {
  const { isDirty, isSubmitting } = form.formState;
  const { getValues } = form;
  useEffect(() => {
    if (!guarded || !isDirty || isSubmitting) return;
    return watchInput({ isHeld: () => JSON.stringify(getValues()) !== saved.current });
  }, [guarded, isDirty, isSubmitting, getValues, saved]);
}

function zodResolver<Values extends FieldValues>(
  schema: z.ZodMiniType<Values, Values>,
  judge?: Judge<Values>,
): Resolver<Values> {
  return async (values) => {
    const result = schema.safeParse(values);
    const errors: FieldErrors = {};
    for (const issue of result.error?.issues ?? []) {
      const name = issue.path.join(".");
      errors[name] ??= { type: issue.code ?? "invalid", message: issue.message };
    }
    for (const [name, message] of Object.entries((await judge?.(values)) ?? {})) {
      errors[name] ??= { type: "judged", message };
    }
    if (result.success && Object.keys(errors).length === 0) {
      return { values: result.data, errors: {} };
    }
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}
