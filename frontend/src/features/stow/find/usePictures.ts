/** Pictures at the station: what they show becomes the card. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import {
  type CatalogItem,
  catalogQueries,
  destinationsOfEach,
  stockQueries,
  useAmong,
} from "@/features/catalog/public";
import { keepCapture, type Source, seenOf } from "@/features/recognition/public";
import { useStable } from "@/shared/lib/useStable";
import { sound } from "../add/sounds";
import type { Condition } from "../model";
import { stopwatch } from "../session/stopwatch";
import { type Card, isTouched } from "./card";
import { type LeftPicture, leftOf } from "./leftPicture";
import type { OnCard } from "./useCard";
import { type Seen, useRecognition } from "./useRecognition";

export type Pictures = ReturnType<typeof usePictures>;

export function usePictures(onCard: OnCard) {
  const { card, dispatch, opened, setOpened, left, setLeft, condition, near, ready, focus } =
    onCard;
  const { items } = onCard.matches;
  const client = useQueryClient();
  usePrefetchedMatches({ items, condition, ready });

  const onSeen = (seen: Seen) => {
    if (seen.what === "more") return dispatch({ type: "seenMore", items: seen.items });
    setLeft(null);
    if (seen.what === "items") {
      // All that the bin waits for, before the card is drawn.
      for (const query of destinationsOfEach(seen.lotIds, condition, near)) {
        void client.prefetchQuery(query);
      }
      const id = seen.items[0]?.id ?? 0;
      void client.prefetchQuery(catalogQueries.lots(id, condition));
      void client.prefetchQuery(stockQueries.owned(id));
      const { items, isPart, capturedAt, isSecond } = seen;
      dispatch({ type: "seen", items, isPart, capturedAt, isSecond });
      sound(isPart ? "match" : "noMatch");
      return;
    }
    stopwatch.missed();
    sound("noMatch");
    setOpened({ what: "notFound", search: seen.source, text: seen.text });
  };
  const among = useAmong(onCard.batchId);
  /** The card that the last picture may replace although the person typed on it. */
  const takenOver = useRef<Card | null>(null);
  const recognising = useRecognition({
    among,
    isBusy: () => opened !== null || (isTouched(card) && card !== takenOver.current),
    onSeen,
  });
  const { recognition } = recognising;

  return {
    recognising,
    /** Leaves the picture: the next part is another one. */
    forget: () => {
      recognising.forget();
      setLeft(null);
    },
    /** Keeps the picture of what was added as an example of it. */
    keepExample: () => {
      const shown =
        card.seen && recognition.state === "found" ? recognition.candidates : left?.candidates;
      const { item, color } = onCard;
      if (shown && item) keepCapture(shown, item.id, color?.colorId || null);
    },
    keepOfLeft: (kept: Partial<LeftPicture>) => setLeft(left && { ...left, ...kept }),
    noneOfThese: () => {
      const found = seenOf(recognition);
      recognising.forget();
      dispatch({ type: "cleared" });
      setLeft(leftOf(found, onCard.color));
      focus.refs.search.current?.focus();
    },
    /**
     * A text that is left in the field is replaced by what the picture shows, and so is the part
     * that a second look is awaited of; what the card gets from now on is not.
     */
    takingPicture: useStable(() => {
      takenOver.current = card.taken && !recognising.awaitsSecond ? null : card;
    }),
    takePicture: useStable((picture: Blob, source: Source, takenAt: number) => {
      stopwatch.captured();
      // Away from the pressed button, or Enter would press it again; not into the field, which
      // would open a phone's keyboard over the picture.
      focus.toCard();
      recognising.onPicture(picture, source, takenAt);
    }),
    partLifted: useStable(() => {
      recognising.onLifted();
      if (opened?.what === "notFound" && opened.search === "webcam") setOpened(null);
    }),
  };
}

/**
 * Prefetches the colours of the next two matches, once the first one has loaded: earlier requests
 * would only delay it.
 */
function usePrefetchedMatches(ahead: {
  items: readonly CatalogItem[];
  condition: Condition;
  ready: boolean;
}): void {
  const { items, condition, ready } = ahead;
  const client = useQueryClient();
  const fetch = useEffectEvent(() => {
    for (const item of items.slice(1, 3)) {
      void client.prefetchQuery(catalogQueries.lots(item.id, condition));
    }
  });
  const fetched = useRef<readonly CatalogItem[] | null>(null);
  useEffect(() => {
    // Once for these matches: a new quantity of the first one does not affect the others.
    if (!ready || fetched.current === items) return;
    fetched.current = items;
    fetch();
  }, [ready, items]);
}
