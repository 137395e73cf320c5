/** When the person last looked at the listings, for what is new since then. */

import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { PERSONAL } from "@/shared/lib/person";
import { memberOf } from "@/shared/lib/records";

const NAME = `${PERSONAL}auctionVisit`;
/** A page left for less than this and opened again is still the same visit. */
const PAUSE_MS = 30 * 60_000;

type Visit = {
  /** When the visit before this one ended. */
  since: string | null;
  seenAt: string;
};

function isVisit(value: unknown): value is Visit {
  const since = memberOf(value, "since");
  const seenAt = memberOf(value, "seenAt");
  return (since === null || isInstant(since)) && isInstant(seenAt);
}

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

/** Notes that the page is seen now; returns when the last visit ended, null for the first one. */
export function noteVisit(now: number): string | null {
  const kept = getSetting(NAME);
  const last = isVisit(kept) ? kept : null;
  const isSame = last !== null && now - Date.parse(last.seenAt) < PAUSE_MS;
  const since = isSame ? last.since : (last?.seenAt ?? null);
  setSetting(NAME, { since, seenAt: new Date(now).toISOString() });
  return since;
}
