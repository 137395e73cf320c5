/**
 * Unsaved input on the page. The page asks before it is left, and stays under the sign-in form when
 * the session ends.
 */

export type HeldInput = {
  isHeld: () => boolean;
  /** A dialog over the page: only the browser's back button leaves it. */
  modal?: true;
};

const held = new Set<HeldInput>();

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

window.addEventListener("beforeunload", (event) => {
  if (isInputHeld()) event.preventDefault();
});
