/**
 * Typed input on the page that is not saved: what leaving must ask about, and what is kept when
 * the session ends. Drafts stay in memory: a form may hold a password.
 */
import { onPersonForgotten, onSessionEnding } from "@/shared/lib/person";

export type HeldInput = {
  isHeld: () => boolean;
  /** A dialog over the page: only going back in the history leaves it. */
  modal?: true;
  /** What is given back to the same form after the person has signed in again. */
  draft?: { key: string; values: () => object };
};

const held = new Set<HeldInput>();
const drafts = new Map<string, object>();

/** Watches input while it is drawn. Returns how to stop. */
export function watchInput(input: HeldInput): () => void {
  held.add(input);
  return () => held.delete(input);
}

/** Whether unsaved input is on the page; with `modal` false, leaving out what dialogs hold. */
export const isInputHeld = ({ modal = true } = {}): boolean =>
  [...held].some((input) => (modal || !input.modal) && input.isHeld());

/** Whether a dialog over the page holds unsaved input. */
export const isDialogHeld = (): boolean => [...held].some((input) => input.modal && input.isHeld());

/** What was typed into this form when the session ended, once. */
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
