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
import { useClientState } from "@/shared/store/clientStore";
import { useStationFocus } from "../add/useStationFocus";
import { useBins } from "../bin/useBins";
import type { SearchType } from "../model";
import { useColors } from "../part/useColors";
import { inBatch, lastBinName, type Session } from "../session/session";
import { useSitting } from "../session/sitting";
import { stopwatch } from "../session/stopwatch";
import { useFirstSitting } from "../session/useFirstSitting";
import {
  type Card,
  type CardAction,
  cardReducer,
  emptyCard,
  isBlank,
  isTouched,
  searchText,
} from "./card";
import type { LeftPicture } from "./leftPicture";
import { useCandidates } from "./useCandidates";

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
  const narrowedBy = useMemo(
    () => left && { colorId: left.colorId, category: left.category },
    [left],
  );
  const candidates = useCandidates(card, type, narrowedBy);
  const item = (!isBlank(card) && candidates.items[card.candidate]) || null;
  const settled = candidates.state === "settled";
  const colors = useColors(item, card, condition, { session: wholeSession, batchId });
  const color = colors.chosen;
  const bins = useBins({
    lotId: color?.lotId ?? null,
    condition,
    quantity: card.quantity,
    grams: item?.weight ? Number(item.weight) : null,
    chosen: card.bin,
    session: wholeSession,
  });
  const focus = useStationFocus({ card, item, settled, candidates, colors, opened, dispatch });
  useMissed({ card, dispatch, candidates, item, settled, searchType, setOpened });
  return {
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
    /** The type of the item where it was named, not only its number. */
    type,
    /** What was seen and is none of the candidates: it narrows the search by number and name. */
    left,
    setLeft,
    narrowedBy,
    candidates,
    item,
    settled,
    colors,
    color,
    bins,
    price: card.price ?? color?.price ?? null,
    ready: settled && item !== null && colors.state === "ready" && bins.settled,
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

/** Enter took what has no match: says so, or takes the first match that there is. */
function useMissed(given: {
  card: Card;
  dispatch: Dispatch<CardAction>;
  candidates: ReturnType<typeof useCandidates>;
  item: CatalogItem | null;
  settled: boolean;
  searchType: SearchType;
  setOpened: (opened: CardDialog) => void;
}): void {
  const { card, dispatch, candidates, item, settled, searchType, setOpened } = given;
  const missed = card.taken && settled && item === null;
  const failed = card.taken && candidates.state === "failed";
  const release = useEffectEvent(() => {
    const found = candidates.items.length > 0;
    // There are fewer matches than the marked index: use the first one.
    if (found && !failed) return dispatch({ type: "taken", candidate: 0 });
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
