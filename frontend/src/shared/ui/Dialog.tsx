import type { DialogProps } from "./DialogFrame";
import { lazyPart } from "./lazyPart";

export type { DialogProps };

// The code of dialogs is loaded with the first one, so that pages load faster.
const DialogFrame = lazyPart(() => import("./DialogFrame").then((m) => m.DialogFrame));

/** A modal dialog: it keeps the focus inside and returns it when it closes. */
export function Dialog({ open = true, ...rest }: DialogProps) {
  return open ? <DialogFrame place="middle" {...rest} /> : null;
}

/** A panel at the side with details of one thing; the page behind it stays visible. */
export function Drawer({ open = true, ...rest }: Omit<DialogProps, "size">) {
  return open ? <DialogFrame place="side" {...rest} /> : null;
}

/** Preloads the code of the first dialog. */
export const preloadDialog = DialogFrame.preload;
