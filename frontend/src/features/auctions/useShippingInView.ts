import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "@/shared/api/errors";
import type { Listing } from "./model";
import { useAskQuietly } from "./mutations";

const lacksShipping = ({ external_id, shipping_rates, is_pickup_only, outcome }: Listing) =>
  external_id !== "" && shipping_rates.length === 0 && !is_pickup_only && outcome === "";

/** Whether the site has no shipping cost for this one listing. */
const isOfOneListing = (error: Error | null) =>
  error instanceof ApiError && (error.status === 409 || error.status === 404);

/**
 * Asks what shipping costs for the listings that are in view: one after another, each once while
 * the page is open. Ends when the site does not answer. Returns what a listing calls when it comes
 * into view or leaves it.
 */
export function useShippingInView(listings: readonly Listing[], isOn: boolean) {
  const [inView, setInView] = useState<ReadonlySet<number>>(new Set());
  const asked = useRef(new Set<number>());
  const { mutate, isPending, error } = useAskQuietly();
  const next = listings.find(
    (one) => inView.has(one.id) && lacksShipping(one) && !asked.current.has(one.id),
  )?.id;
  const isFree = isOn && !isPending && (!error || isOfOneListing(error));
  useEffect(() => {
    if (!isFree || next === undefined) return;
    asked.current.add(next);
    mutate({ id: next, question: "shipping" });
  }, [isFree, next, mutate]);

  return useCallback((id: number, isSeen: boolean) => {
    setInView((before) => {
      if (before.has(id) === isSeen) return before;
      const after = new Set(before);
      if (isSeen) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);
}
