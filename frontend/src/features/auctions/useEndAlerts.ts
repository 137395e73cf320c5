import { useEffect, useRef } from "react";
import { toast } from "@/shared/ui/toast";
import type { Listing } from "./model";
import { alertDue } from "./rules";

const LOOK_MS = 15_000;

/** Asks for permission to show system notifications; browsers ask only after a press, and once. */
export function askForAlerts(): void {
  if ("Notification" in window && Notification.permission === "default") {
    void Notification.requestPermission();
  }
}

/**
 * Announces a watched listing an hour and ten minutes before its end, if allowed with a system
 * notification too. It runs while the page is hidden, when system notifications matter.
 */
export function useEndAlerts(listings: readonly Listing[]): void {
  // What fell due while one page gave way to another is shown too; shown twice it is one toast.
  const told = useRef(Date.now() - LOOK_MS);
  useEffect(() => {
    const look = () => {
      const now = Date.now();
      for (const listing of listings) tell(listing, told.current, now);
      told.current = now;
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [listings]);
}

function tell(listing: Listing, before: number, now: number): void {
  const isMine = listing.watch === "watching" || listing.my_bid !== null;
  const minutes = isMine ? alertDue(listing.end_time, before, now) : null;
  if (minutes === null) return;
  const text = `Ends in ${minutes} minutes: ${listing.title}`;
  toast.info(text, { id: `auction-end-${listing.id}` });
  if ("Notification" in window && Notification.permission === "granted") {
    try {
      new Notification(text, { tag: `auction-${listing.id}` });
    } catch {
      // Android's browsers allow it to service workers alone; the toast was shown.
    }
  }
}
