import { useEffect, useState } from "react";
import { useDebounced } from "@/shared/lib/useDebounced";

/**
 * Text that is typed here and stored elsewhere (in the address): debounced by 300 ms, and updated
 * when the stored text changes otherwise (a link, Clear). `hand` stores it; it returns what it
 * stored where that is another text.
 */
export function useTypedText(value: string, hand: (text: string) => unknown) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [handed, setHanded] = useState(value);
  const settled = useDebounced(text);

  if (value !== known) {
    setKnown(value);
    // What was handed on may arrive after the next letter.
    if (value !== handed) {
      setHanded(value);
      if (value !== text.trim()) setText(value);
    }
  }
  useEffect(() => {
    if (settled !== text || settled.trim() === value) return;
    const stored = hand(settled);
    setHanded(typeof stored === "string" ? stored : settled.trim());
  }, [settled, text, value, hand]);
  return [text, setText] as const;
}
