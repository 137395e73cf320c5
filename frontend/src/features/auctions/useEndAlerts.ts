import { useEffect, useRef } from "react";
import { toast } from "@/shared/ui/toast";
import type { Listing } from "./model";
import { alertDue } from "./rules";

/** Asks whether the system may tell of ends; browsers ask only upon a press, and once. */
export function askForAlerts(): void {
  if ("Notification" in window && Notification.permission === "default") {
    void Notification.requestPermission();
  }
}

/** Tells an hour and ten minutes before a watched listing ends, in the system too if allowed. */
export function useEndAlerts(listings: readonly Listing[], now: number): void {
  const before = useRef(now);
  useEffect(() => {
    for (const listing of listings) {
      const isMine = listing.watch === "watching" || listing.my_bid !== null;
      const minutes = isMine ? alertDue(listing.end_time, before.current, now) : null;
      if (minutes === null) continue;
      const text = `Ends in ${minutes} minutes: ${listing.title}`;
      toast.info(text, { id: `auction-end-${listing.id}` });
      if ("Notification" in window && Notification.permission === "granted") {
        new Notification(text, { tag: `auction-${listing.id}` });
      }
    }
    before.current = now;
  }, [listings, now]);
}
