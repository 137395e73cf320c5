import { useEffect } from "react";
import { useStable } from "./useStable";

/** Where a letter is text or chooses by its first letter. */
const TAKES_LETTERS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=menu], [role=listbox]";

/** Whether a key means the page: nothing is typed, and nothing lies over the page. */
export function isForPage(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, target } = event;
  if (event.repeat || event.defaultPrevented || event.isComposing) return false;
  if (ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TAKES_LETTERS)) return false;
  return !document.querySelector("[role=dialog], [role=alertdialog], [role=menu]");
}

export type PageKey = { key: string; does: string };

/** The keys of the page that is open, for the sheet that "?" shows. */
const registered = new Set<PageKey>();
export const pageKeys = (): readonly PageKey[] => [...registered];

/** Runs at a letter that is pressed while nothing is typed and nothing lies over the page. */
export function usePageKey(letter: string, does: string, run: () => void): void {
  const onKeyDown = useStable((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== letter || event.shiftKey || !isForPage(event)) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    const entry = { key: letter.toUpperCase(), does };
    registered.add(entry);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      registered.delete(entry);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [letter, does, onKeyDown]);
}
