/**
 * Unsaved input on the page. The page asks before it is left, and keeps the input when the session
 * ends. Drafts stay in memory, because a form may hold a password.
 */
import { onPersonForgotten, onSessionEnding } from "@/shared/lib/person";

export type HeldInput = {
  isHeld: () => boolean;
  /** A dialog over the page: only the browser's back button leaves it. */
  modal?: true;
  /** The values restored to the same form after the person has signed in again. */
  draft?: { key: string; values: () => object };
};

const held = new Set<HeldInput>();
const drafts = new Map<string, object>();

/** Watches input while it is on the page. Returns a function that stops watching. */
export function watchInput(input: HeldInput): () => void {
  held.add(input);
  return () => held.delete(input);
}

/** Whether unsaved input is on the page; with `modal` false, leaving out what dialogs hold. */
export const isInputHeld = ({ modal = true } = {}): boolean =>
  [...held].some((input) => (modal || !input.modal) && input.isHeld());

/** Whether a dialog over the page holds unsaved input. */
export const isDialogHeld = (): boolean => [...held].some((input) => input.modal && input.isHeld());

/** The values of this form when the session ended. They can be read once. */
export function takeDraft(key: string): object | null {
  const draft = drafts.get(key) ?? null;
  drafts.delete(key);
  return draft;
}

onSessionEnding(() => {
  for (const { isHeld, draft } of held)
    if (draft && isHeld()) drafts.set(draft.key, draft.values());
});
onPersonForgotten(() => drafts.clear());

window.addEventListener("beforeunload", (event) => {
  if (isInputHeld() || drafts.size) event.preventDefault();
});
