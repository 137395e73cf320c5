/** Collects errors of the browser for its listeners: shortened, counted and grouped. */

const LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];
/** `page` is where it was logged first. */
export type LogEntry = { level: LogLevel; message: string; count: number; page: string };

const MAX_LENGTH = 1000;
const WINDOW_MS = 1000;
const SECRETS = [
  /()eyJ[\w-]+\.[\w-]+\.[\w-]*/g, // JSON web tokens
  /(bearer\s+)\S+/gi,
  /((?:password|token|secret|authorization)["']?\s*[:=]\s*["']?)[^\s"',}]+/gi,
];

type Sink = (entries: LogEntry[]) => void;

let sink: Sink = () => undefined;
let waiting = new Map<string, LogEntry>();
let timer: ReturnType<typeof setTimeout> | null = null;

/** Receives the entries, one time window at a time. */
export function setLogSink(next: Sink): void {
  sink = next;
}

/** Sends the entries of the current window now. */
export function flushLog(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const entries = [...waiting.values()];
  waiting = new Map();
  if (entries.length > 0) sink(entries);
}

function write(level: LogLevel, message: string): void {
  const text = SECRETS.reduce((rest, secret) => rest.replace(secret, "$1[hidden]"), message);
  const cut = text.slice(0, MAX_LENGTH);
  const key = `${level} ${cut}`;
  const known = waiting.get(key);
  if (known) known.count += 1;
  else waiting.set(key, { level, message: cut, count: 1, page: window.location.pathname });
  timer ??= setTimeout(flushLog, WINDOW_MS);
}

/** Messages are cut at 1000 characters; equal ones of a level in one second become one entry. */
export const log = {
  debug: (message: string) => write("debug", message),
  info: (message: string) => write("info", message),
  warn: (message: string) => write("warn", message),
  error: (message: string) => write("error", message),
};
