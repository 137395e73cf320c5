/** Settings of this browser: one local storage key each, prefixed, as JSON. */
import { isRecord } from "./records";

const PREFIX = "bb_setting_";

/**
 * Stores `value` as JSON under the name; a second set replaces it. False: the browser's storage is
 * full, and the earlier value stays. Photos that wait for the connection can fill it.
 */
export function setSetting(name: string, value: unknown): boolean {
  return storeText(PREFIX + name, JSON.stringify(value));
}

/** Stores text under a key without the prefix. False: the browser's storage is full. */
export function storeText(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "QuotaExceededError") return false;
    throw error;
  }
}

/**
 * Reads a setting, or with `path` ("a.b") a value inside it. Returns `fallback` for a missing name
 * or path and for text that is not JSON.
 */
export function getSetting<Value = unknown>(
  name: string,
  options: { path?: string; fallback?: Value } = {},
): Value | undefined {
  const text = localStorage.getItem(PREFIX + name);
  if (text === null) return options.fallback;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return options.fallback;
  }
  for (const step of options.path?.split(".") ?? []) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return options.fallback;
    value = value[step];
  }
  return value as Value;
}

export function removeSetting(name: string): void {
  localStorage.removeItem(PREFIX + name);
}

/** The names of all settings, without the prefix. */
export function listSettings(): string[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
  return keys.flatMap((key) => (key?.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []));
}

/** Removes all settings. The user, tokens and theme have keys of their own and stay. */
export function clearSettings(): void {
  for (const name of listSettings()) removeSetting(name);
}
