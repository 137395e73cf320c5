import { useEffect } from "react";
import { useStable } from "@/shared/lib/useStable";

/** Where a letter is text or chooses by its first letter. */
const TAKES_LETTERS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=menu], [role=listbox]";

/** Runs at a letter that is pressed while nothing is typed and nothing lies over the page. */
export function usePageKey(letter: string, run: () => void): void {
  const onKeyDown = useStable((event: KeyboardEvent) => {
    const { ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (event.key.toLowerCase() !== letter || event.repeat || event.defaultPrevented) return;
    if (ctrlKey || metaKey || altKey || shiftKey || event.isComposing) return;
    if (target instanceof Element && target.closest(TAKES_LETTERS)) return;
    if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onKeyDown]);
}
