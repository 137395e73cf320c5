import type { ReactNode } from "react";
import { toast as hot } from "react-hot-toast/headless";

export type ToastTone = "info" | "success" | "error" | "progress";
export type ToastAction = { label: string; run: () => unknown };
export type ToastOptions = {
  /** The same id updates the existing toast instead of adding one. */
  id?: string;
  detail?: ReactNode;
  action?: ToastAction;
  /** Milliseconds; the specification's 5000 by default. */
  duration?: number;
  /**
   * Called when the person closed it, not when its time ran out, so that updates by id can stop.
   */
  onDismiss?: () => void;
};
export type ToastContent = {
  tone: ToastTone;
  text: ReactNode;
  detail?: ReactNode;
  action?: ToastAction;
  onDismiss?: () => void;
};

const contents = new Map<string, ToastContent>();
let count = 0;

/** The content of the toast with this id. For the Toaster only. */
export function contentOf(id: string): ToastContent | undefined {
  return contents.get(id);
}

function put(tone: ToastTone, text: ReactNode, options: ToastOptions = {}): string {
  const id = options.id ?? `toast-${++count}`;
  const { detail, action, onDismiss } = options;
  contents.set(id, { tone, text, detail, action, onDismiss });
  const duration = options.duration ?? (tone === "progress" ? Number.POSITIVE_INFINITY : 5000);
  hot("", { id, duration });
  return id;
}

/** Adds, updates (same id) and removes toasts. Each returns its id. */
export const toast = {
  info: (text: ReactNode, options?: ToastOptions) => put("info", text, options),
  success: (text: ReactNode, options?: ToastOptions) => put("success", text, options),
  error: (text: ReactNode, options?: ToastOptions) => put("error", text, options),
  /** Stays until it is updated by id with a result, or removed. */
  progress: (text: ReactNode, options?: ToastOptions) => put("progress", text, options),
  remove: (id: string) => hot.dismiss(id),
  /** Removes all toasts at once, so that the next person sees none of them. */
  removeAll: () => hot.removeAll(),
};
