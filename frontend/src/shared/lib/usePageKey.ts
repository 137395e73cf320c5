import { useEffect } from "react";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { useStable } from "./useStable";

/** Elements in which a letter is text or selects an option. */
const TAKES_LETTERS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=menu], [role=listbox]";

/** Whether a key is for the page: no text field has the focus and no dialog is open. */
export function isForPage(event: Press): boolean {
  const { ctrlKey, metaKey, altKey, target } = event;
  if (event.repeat || event.defaultPrevented || event.isComposing) return false;
  if (ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TAKES_LETTERS)) return false;
  return !document.querySelector("[role=dialog], [role=alertdialog], [role=menu]");
}

export type PageKey = { key: string; does: string };

/** The keys of the open page, for the sheet that "?" shows. */
const registered = new Set<PageKey>();
export const pageKeys = (): readonly PageKey[] => [...registered];

/** Runs when the letter is pressed while no text field has the focus and no dialog is open. */
export function usePageKey(letter: string, does: string, run: () => void): void {
  const onKeyDown = useStable((event: Press) => {
    if (event.key.toLowerCase() !== letter || event.shiftKey || !isForPage(event)) return;
    event.preventDefault();
    run();
  });
  useWaitingKeys(onKeyDown);
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
