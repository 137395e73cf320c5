/**
 * The forms on the page that hold typed input: what a navigation must ask about, and what is kept
 * when the session ends. Drafts stay in memory: a form may hold a password.
 */
import { onPersonForgotten, onSessionEnding } from "@/shared/lib/person";

export type OpenForm = {
  /** The same for the same form of the same thing. */
  key: string;
  holdsInput: () => boolean;
  /** Null where there is nothing to be given back to: a dialog that is no form. */
  values: (() => object) | null;
};

const open = new Set<OpenForm>();
const drafts = new Map<string, object>();

/** Watches a form while it is drawn. Returns how to stop. */
export function watchForm(form: OpenForm): () => void {
  open.add(form);
  return () => open.delete(form);
}

export const isInputHeld = (): boolean => [...open].some((form) => form.holdsInput());

/** What was typed into this form when the session ended, once. */
export function takeDraft(key: string): object | null {
  const draft = drafts.get(key) ?? null;
  drafts.delete(key);
  return draft;
}

export const countDrafts = (): number => drafts.size;

onSessionEnding(() => {
  for (const { key, holdsInput, values } of open)
    if (values && holdsInput()) drafts.set(key, values());
});
onPersonForgotten(() => drafts.clear());

window.addEventListener("beforeunload", (event) => {
  if (isInputHeld() || drafts.size) event.preventDefault();
});
