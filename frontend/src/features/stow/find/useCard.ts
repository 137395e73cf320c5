/** The part that is worked on: what was typed or seen, and the matches, colours and bins for it. */
import { type Dispatch, useEffect, useEffectEvent, useMemo, useReducer, useState } from "react";
import { useSearchParams } from "react-router-dom";
import {
  type CatalogItem,
  itemOfKey,
  type NotFoundSearch,
  useBatchChoice,
  useLockedColor,
} from "@/features/catalog/public";
import { useDebounced } from "@/shared/lib/useDebounced";
import { useClientState } from "@/shared/store/clientStore";
import { useStationFocus } from "../add/useStationFocus";
import type { SearchType } from "../model";
import { type Resolved, useResolved } from "../resolve";
import { inBatch, lastBinName, type Session } from "../session/session";
import { useSitting } from "../session/sitting";
import { stopwatch } from "../session/stopwatch";
import { useFirstSitting } from "../session/useFirstSitting";
import { type Card, type CardAction, cardReducer, emptyCard, isTouched, searchText } from "./card";
import type { LeftPicture } from "./leftPicture";

/** The dialog that is open over the station, if any. */
export type CardDialog =
  | null
  | { what: "keys" | "session" | "batch" | "bins" | "weigh" | "stopwatch" | "summary" | "skipped" }
  | { what: "minifigs"; figure?: CatalogItem }
  | { what: "newBin"; name: string }
  | { what: "notFound"; search: NotFoundSearch; text: string }
  | { what: "custom"; text: string }
  | { what: "override" | "otherBin"; key: string }
  | { what: "newBinFor"; key: string; name: string };

export type OnCard = ReturnType<typeof useCard>;

const whole = (session: Session) => session;

export function useCard() {
  // An item given with its type, by a link or a dialog: several items may have its number.
  const fromLink = itemOfKey(useSearchParams()[0].get("item"));
  const [named, setNamed] = useState(fromLink);
  const [card, dispatch] = useReducer(cardReducer, fromLink, (link) =>
    link ? { ...emptyCard, text: link.number, taken: true } : emptyCard,
  );
  const [opened, setOpened] = useState<CardDialog>(null);
  const condition = useClientState("itemBeingProcessed.condition");
  const searchType = useClientState("itemBeingProcessed.searchType");
  const direct = useClientState("options.stowDirectly");
  const locked = useLockedColor();
  const wholeSession = useSitting(whole);

  const batches = useBatchChoice();
  const first = useFirstSitting(batches);
  const batchId = batches.batch?.id ?? null;
  const session = useMemo(() => inBatch(wholeSession, batchId), [wholeSession, batchId]);
  const type = card.text === named?.number ? named.type : null;
  const [left, setLeft] = useState<LeftPicture | null>(null);
  const seen = left && { colorId: left.colorId, category: left.category };
  const asked = { card, type, seen, condition, locked, batchId };
  const typed = searchText(card);
  const rested = useDebounced(typed);
  const text = card.taken ? typed : rested;
  const resolved = useResolved(asked, { text, session: wholeSession });
  const focus = useStationFocus({ ...resolved, card, opened, dispatch });
  useMissed({ ...resolved, card, dispatch, searchType, setOpened });
  return {
    ...resolved,
    asked,
    card,
    dispatch,
    opened,
    setOpened,
    openDialog: (dialog: NonNullable<CardDialog>) => {
      focus.awaitDialog();
      setOpened(dialog);
    },
    condition,
    searchType,
    direct,
    locked,
    /** The totals of this session for the batch, and of the whole session. */
    session,
    wholeSession,
    batches,
    batchId,
    first,
    /** What was seen and is none of the candidates: it narrows the search by number and name. */
    left,
    setLeft,
    near: lastBinName(wholeSession),
    focus,
    isBusy: () => isTouched(card) || opened !== null,
    takeItem: ({ item_type, item_number: number }: CatalogItem) => {
      setNamed({ type: item_type, number });
      dispatch({ type: "typed", text: number });
      dispatch({ type: "taken" });
    },
  };
}

/** Enter took what has no match, or could not be searched: says so. */
function useMissed(given: {
  card: Card;
  dispatch: Dispatch<CardAction>;
  matches: Resolved["matches"];
  item: CatalogItem | null;
  settled: boolean;
  searchType: SearchType;
  setOpened: (opened: CardDialog) => void;
}): void {
  const { card, dispatch, matches, item, settled, searchType, setOpened } = given;
  const missed = card.taken && settled && item === null;
  const failed = card.taken && matches.state === "failed";
  const release = useEffectEvent(() => {
    dispatch({ type: "released" });
    const text = searchText(card);
    if (missed) stopwatch.missed();
    if (missed) setOpened({ what: "notFound", search: searchedBy(searchType, text), text });
  });
  useEffect(() => {
    if (missed || failed) release();
  }, [missed, failed]);
}

/** Text typed during a picture search: one word with a digit is a number. */
function searchedBy(type: SearchType, text: string): NotFoundSearch {
  if (type !== "image") return type;
  return /^\S*\d\S*$/.test(text) ? "number" : "name";
}
