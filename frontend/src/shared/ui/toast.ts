import type { ReactNode } from "react";
import { toast as hot } from "react-hot-toast/headless";

export type ToastTone = "info" | "success" | "error" | "progress";
export type ToastAction = { label: string; run: () => unknown };
export type ToastOptions = {
  /** The same id updates the toast that is there instead of adding one. */
  id?: string;
  detail?: ReactNode;
  action?: ToastAction;
  /** Milliseconds; the specification's 5000 by default. */
  duration?: number;
  /** The person closed it (not its time running out): whoever updates it by id may stop. */
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

/** What the toast of this id shows. For the Toaster only. */
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
  /** Stays until updated by id with an end, or removed. */
  progress: (text: ReactNode, options?: ToastOptions) => put("progress", text, options),
  remove: (id: string) => hot.dismiss(id),
  /** All at once, without a trace: the next person is to see none of them. */
  removeAll: () => hot.removeAll(),
};
