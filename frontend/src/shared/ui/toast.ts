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

/** By the id that the library knows a toast by. */
const contents = new Map<string, ToastContent>();
/** The library's ids, by the ids that callers give. */
const given = new Map<string, string>();
/** The library's ids of what a person closed. */
const closed = new Set<string>();
let count = 0;

/** The content of the toast with this id of the library's. For the Toaster only. */
export function contentOf(id: string): ToastContent | undefined {
  return contents.get(id);
}

function idFor(callers: string | undefined): string {
  const known = callers !== undefined && given.get(callers);
  if (known) return known;
  const id = `toast-${++count}`;
  given.set(callers ?? id, id);
  return id;
}

function put(tone: ToastTone, text: ReactNode, options: ToastOptions = {}): string {
  const id = idFor(options.id);
  closed.delete(id);
  const { detail, action, onDismiss } = options;
  contents.set(id, { tone, text, detail, action, onDismiss });
  const duration = options.duration ?? (tone === "progress" ? Number.POSITIVE_INFINITY : 5000);
  hot("", { id, duration });
  return id;
}

/** Adds, updates (same id) and removes toasts. What shows one returns its id. */
export const toast = {
  info: (text: ReactNode, options?: ToastOptions) => put("info", text, options),
  success: (text: ReactNode, options?: ToastOptions) => put("success", text, options),
  error: (text: ReactNode, options?: ToastOptions) => put("error", text, options),
  /** Stays until it is updated by id with a result, or removed. */
  progress: (text: ReactNode, options?: ToastOptions) => put("progress", text, options),
  /**
   * Adds a line to the toast with this id, or shows the line alone where there is none; nothing
   * where a person closed it.
   */
  addLine: (id: string, line: string, duration: number) => {
    const known = given.get(id);
    if (known !== undefined && closed.has(known)) return;
    const shown = known === undefined ? undefined : contents.get(known);
    if (!shown) {
      put("info", line, { id, duration });
      return;
    }
    const { tone, text, ...rest } = shown;
    const detail = typeof rest.detail === "string" ? `${rest.detail} ${line}` : line;
    put(tone, text, { ...rest, detail, id, duration });
  },
  remove: (id: string) => hot.dismiss(given.get(id) ?? id),
  /** Removes the toast with this id of the library's, for a person. For the Toaster only. */
  close: (id: string) => {
    closed.add(id);
    hot.dismiss(id);
  },
  /**
   * Removes all toasts at once, so that the next person sees none of them. Ids mean new toasts
   * from here on: the removal of one that was fading must not take its successor.
   */
  removeAll: () => {
    hot.removeAll();
    contents.clear();
    given.clear();
    closed.clear();
  },
};
