/** The client's log on its way to the server: throttled, and silent about its own failures. */
import { type LogEntry, setLogSink } from "@/shared/lib/log";
import { apiAddress } from "./address";
import { usableAccessToken } from "./tokens";

const PER_MINUTE = 20;
let sentAt: number[] = [];

/** Sends what is logged from now on to POST /api/logs. More than 20 posts a minute are dropped. */
export function sendLogsToServer(): void {
  setLogSink(send);
}

function send(entries: LogEntry[]): void {
  const now = Date.now();
  sentAt = sentAt.filter((at) => now - at < 60_000);
  const token = usableAccessToken(now);
  if (sentAt.length >= PER_MINUTE || token === null) return;
  sentAt.push(now);
  fetch(apiAddress("logs"), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify({ entries }),
    keepalive: true,
  }).catch(() => undefined);
}
