import type { DialogProps } from "./DialogFrame";
import { lazyPart } from "./lazyPart";

export type { DialogProps };

// A page is drawn before anybody opens a dialog: what dialogs need comes with the first one.
const DialogFrame = lazyPart(() => import("./DialogFrame").then((m) => m.DialogFrame));

/** A modal dialog: focus is kept inside and goes back to where it came from. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <DialogFrame place="middle" {...rest} /> : null;
}

/** A panel at the side with more about one thing; the page behind it stays in sight. */
export function Drawer({ open, ...rest }: Omit<DialogProps, "size">) {
  return open ? <DialogFrame place="side" {...rest} /> : null;
}

/** Fetches ahead what the first dialog needs. */
export const preloadDialog = DialogFrame.preload;
