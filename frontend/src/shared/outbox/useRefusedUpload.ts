import { useMemo, useState } from "react";
import { useStore } from "zustand";
import type { ApiError } from "@/shared/api/errors";
import { outbox } from "./theOutbox";
import { errorOf } from "./unsent";

type RefusedUpload = {
  file: File | null;
  /** The other fields of its form, as they were sent. */
  fields: Readonly<Record<string, string>>;
  error: ApiError;
};

/** The upload that was refused after its page was left, by the key in the address. */
export function useRefusedUpload(key: string | undefined): {
  refused: RefusedUpload | null;
  forget: () => void;
} {
  const one = useStore(outbox.store, ({ requests }) => requests.find((each) => each.key === key));
  const refused = useMemo((): RefusedUpload | null => {
    if (!one?.refusal) return null;
    const form = one.form ?? [];
    const file = form.map(([, value]) => value).find((value) => value instanceof File) ?? null;
    const texts = form.flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    );
    return { file, fields: Object.fromEntries(texts), error: errorOf(one.refusal) };
  }, [one]);
  // The form keeps what it began with, while another file is chosen.
  const [first, setFirst] = useState(refused);
  if (!first && refused) setFirst(refused);
  return { refused: first, forget: () => one && void outbox.discard([one]) };
}
