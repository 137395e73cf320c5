/** Sends the client's log to the server: throttled, and without logging its own failures. */
import { type LogEntry, setLogSink } from "@/shared/lib/log";
import { apiAddress } from "./address";
import { usableAccessToken } from "./tokens";

const PER_MINUTE = 20;
const PER_POST = 50;
let sentAt: number[] = [];

/** Sends all later log entries to POST /api/logs. More than 20 posts a minute are dropped. */
export function sendLogsToServer(): void {
  sentAt = [];
  setLogSink(send);
}

function send(entries: LogEntry[]): void {
  const now = Date.now();
  sentAt = sentAt.filter((at) => now - at < 60_000);
  if (sentAt.length >= PER_MINUTE) return;
  sentAt.push(now);
  const token = usableAccessToken(now);
  const authorization: Record<string, string> =
    token === null ? {} : { Authorization: `Bearer ${token}` };
  fetch(apiAddress("logs"), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...authorization },
    body: JSON.stringify({ entries: entries.slice(0, PER_POST) }),
    keepalive: true,
  }).catch(() => undefined);
}
