import { useState } from "react";
import type { Bin } from "./model";

/** A location as a form keeps it: one that was typed and not chosen is a problem, never none. */
export function usePickedLocation(first: Bin | null) {
  const [value, setValue] = useState(first);
  const [typed, setTyped] = useState("");
  const [isAsked, setAsked] = useState(false);
  const problem =
    !value && typed.trim() !== "" ? "Choose a bin from the list, or leave it empty." : null;
  return {
    value,
    /** For the picker. */
    field: { value, onChange: setValue, onTyped: setTyped, error: isAsked ? problem : null },
    /** Whether it can be sent; from now on the field shows what is wrong. */
    isFit: () => {
      setAsked(true);
      return problem === null;
    },
  };
}
