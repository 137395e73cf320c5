/** What a card says of time and worth. Pure: instants and figures in, words out. */
import { formatMoney } from "@/shared/lib/format";
import type { Tone } from "@/shared/ui/Badge";
import type { Listing, ListingStatus, ListingWorth, WorthBasis } from "./model";

export const SITE_CURRENCY = "USD";
const MINUTE = 60_000;
const URGENT_MS = 10 * MINUTE;
const ALERT_MINUTES = [60, 10] as const;

const dollars = (amount: number) => formatMoney(amount.toFixed(2), SITE_CURRENCY);

export const statusTones: Record<ListingStatus, Tone> = {
  open: "neutral",
  watching: "info",
  rejected: "neutral",
  leading: "success",
  outbid: "warning",
  ended: "neutral",
  won: "success",
  lost: "danger",
};

/** "2d 4h", "9m 30s", "Ended"; "" for a listing without an end. */
export function remaining(endTime: string | null, now: number): string {
  if (endTime === null) return "";
  const seconds = Math.floor((Date.parse(endTime) - now) / 1000);
  if (seconds <= 0) return "Ended";
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${seconds % 60}s` : `${seconds}s`;
}

/** Whether it may have been won: it is noted as won, or has ended and is not noted as lost. */
export function isOver(
  listing: { outcome: string; end_time: string | null },
  now: number,
): boolean {
  if (listing.outcome !== "") return listing.outcome === "won";
  return listing.end_time !== null && Date.parse(listing.end_time) <= now;
}

/** Whether it ends within ten minutes. */
export function isUrgent(endTime: string | null, now: number): boolean {
  if (endTime === null) return false;
  const left = Date.parse(endTime) - now;
  return left > 0 && left < URGENT_MS;
}

/** The alert that is due now and was not at `before`: minutes before the end, or null. */
export function alertDue(endTime: string | null, before: number, now: number): number | null {
  if (endTime === null) return null;
  const end = Date.parse(endTime);
  if (end <= now) return null;
  const due = ALERT_MINUTES.filter((minutes) => {
    const at = end - minutes * MINUTE;
    return before < at && at <= now;
  });
  return due.at(-1) ?? null;
}

/** Why a bid makes sense up to there: "Worth $58.00 landed, by 3 batches of ShopGoodwill." */
export function worthReason(worth: ListingWorth, basis: WorthBasis): string {
  const batches = basis.batches === 1 ? "1 batch" : `${basis.batches} batches`;
  const of = basis.source_name ? ` of ${basis.source_name}` : "";
  const fees = `${Number(basis.fee_percent)} % fees`;
  const rate = formatMoney(basis.hourly_rate, SITE_CURRENCY);
  const minutes = basis.minutes_per_kg;
  const isPaid = Number(basis.hourly_rate) > 0;
  const work =
    minutes === null
      ? "; your time is not known"
      : isPaid
        ? ` and ${Number(minutes)} minutes at ${rate} an hour`
        : "; your time is not counted";
  return (
    `Worth ${formatMoney(worth.worth, SITE_CURRENCY)} landed, by ${batches}${of}: ` +
    `${dollars(Number(basis.value_per_kg))} a kilogram, less ${fees}${work}.`
  );
}

export type Verdict = {
  tone: Extract<Tone, "success" | "warning" | "neutral">;
  text: string;
  /** How far the price is from the highest sensible bid, or what is missing. */
  detail: string;
};

/**
 * Whether a listing is worth its price, in words. `worth` is undefined where it cannot be computed.
 */
export function verdictOf(
  listing: Pick<Listing, "current_price" | "weight_grams">,
  worth: ListingWorth | undefined,
): Verdict {
  if (listing.weight_grams === null) {
    return {
      tone: "warning",
      text: "Ask for the weight",
      detail: "its worth depends on its weight",
    };
  }
  if (!worth) {
    return {
      tone: "neutral",
      text: "Worth not known yet",
      detail: "needs a batch of yours with weight and prices",
    };
  }
  if (worth.highest_bid === null) {
    const detail = `worth ${formatMoney(worth.worth, SITE_CURRENCY)} landed`;
    return { tone: "warning", text: "Shipping is needed first", detail };
  }
  const limit = Number(worth.highest_bid);
  const price = Number(listing.current_price ?? 0);
  if (limit > 0 && price <= limit) {
    const text = `Worth it up to ${dollars(limit)}`;
    return { tone: "success", text, detail: `you are ${dollars(limit - price)} below` };
  }
  const detail = limit > 0 ? `worth it up to ${dollars(limit)}` : "not worth its shipping";
  return { tone: "neutral", text: `Too expensive by ${dollars(price - limit)}`, detail };
}

/** "4:59" until `at`; "0:00" once it is past. */
export function countdown(at: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((at - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
