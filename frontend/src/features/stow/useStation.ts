import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useReducer, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router-dom";
import {
  type CatalogItem,
  type ColorOption,
  type CustomItem,
  itemKeyOf,
  itemOfKey,
  lockColor,
  type NotFoundSearch,
  rememberColor,
  useLockedColor,
} from "@/features/catalog/public";
import { keepCapture, type Source, seenOf } from "@/features/recognition/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import { bulkDraft } from "./bulk";
import {
  cardReducer,
  emptyCard,
  isBlank,
  isTouched,
  numberBeforeWords,
  searchText,
  stepped,
} from "./card";
import { isSaid } from "./choices";
import type { Command } from "./keys";
import { type LeftPicture, leftOf } from "./leftPicture";
import {
  type Ask,
  type Lookup,
  lookUp,
  newestLookup,
  onOpenQuestion,
  setLookupQuantity,
} from "./lookups";
import type { BatchItem, SearchType } from "./model";
import { draftOfProcessed, useProcessed } from "./processed";
import { stockQueries } from "./queries";
import {
  type Bin,
  counters,
  type Draft,
  inBatch,
  lastBinName,
  lastRow,
  type Session,
} from "./session";
import { sitting, useSitting } from "./sitting";
import { sound } from "./sounds";
import { stopwatch } from "./stopwatch";
import { aisleOf, giveTray } from "./trays";
import { useAmong } from "./useAmong";
import { useBatchChoice } from "./useBatchChoice";
import { useBins } from "./useBins";
import { useCandidates, usePrefetchedMatches } from "./useCandidates";
import { useColors } from "./useColors";
import { useFirstSitting } from "./useFirstSitting";
import { useHeldAct } from "./useHeldAct";
import { nextLookup, type Seen, useRecognition } from "./useRecognition";
import { useSetDestinations } from "./useSetDestinations";
import { useSkipping } from "./useSkipping";
import { useStationFocus } from "./useStationFocus";
import { useStationKeys } from "./useStationKeys";
import { useStowScans } from "./useStowScans";

const whole = (session: Session) => session;

/** The dialog that is open over the station, if any. */
export type Opened =
  | null
  | { what: "keys" | "session" | "batch" | "bins" | "weigh" | "stopwatch" | "summary" | "skipped" }
  | { what: "minifigs"; figure?: CatalogItem }
  | { what: "newBin"; name: string }
  | { what: "notFound"; search: NotFoundSearch; text: string }
  | { what: "custom"; text: string }
  | { what: "override" | "otherBin"; key: string }
  | { what: "newBinFor"; key: string; name: string };

export type Station = ReturnType<typeof useStation>;

/** The station's state and acts, for its components. */
export function useStation() {
  // An item given with its type, by a link or a dialog: several items may have its number.
  const fromLink = itemOfKey(useSearchParams()[0].get("item"));
  const [named, setNamed] = useState(fromLink);
  const [card, dispatch] = useReducer(cardReducer, fromLink, (link) =>
    link ? { ...emptyCard, text: link.number, taken: true } : emptyCard,
  );
  const client = useQueryClient();
  const [laterLots, setLaterLots] = useState<readonly number[]>([]);
  const [opened, setOpened] = useState<Opened>(null);
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
  const price = card.price ?? color?.price ?? null;
  const ready = settled && item !== null && colors.state === "ready" && bins.settled;
  const near = lastBinName(wholeSession);
  usePrefetchedMatches({ items: candidates.items, lotIds: laterLots, condition, near, ready });

  const focus = useStationFocus({ card, item, settled, candidates, colors, opened, dispatch });
  const { asking, openField, awaitColors, refs } = focus;
  const { search, colorFilter, priceField } = refs;
  const openDialog = (dialog: NonNullable<Opened>) => {
    focus.awaitDialog();
    setOpened(dialog);
  };

  const isBusy = () => isTouched(card) || opened !== null;
  const onSeen = (seen: Seen) => {
    if (seen.what === "more") return dispatch({ type: "seenMore", items: seen.items });
    setLeft(null);
    if (seen.what === "items") {
      // In parallel with the colours: the bin is needed first.
      const [first, ...later] = seen.lotIds;
      if (first !== undefined) {
        void client.prefetchQuery(stockQueries.destinations(first, condition, 1, near));
      }
      setLaterLots(later);
      dispatch({ type: "seen", items: seen.items, capturedAt: seen.capturedAt });
      sound("match");
      return;
    }
    stopwatch.missed();
    sound("noMatch");
    setOpened({ what: "notFound", search: seen.source, text: seen.text });
  };
  const among = useAmong(batchId);
  const recognising = useRecognition({ among, isBusy, onSeen });
  const skipping = useSkipping(batches.batch?.id ?? null, recognising);
  const setDestinations = useSetDestinations(color?.lotId ?? null);
  const destinations = bins.destination ? [bins.destination, ...bins.alternatives] : [];
  const { quantity } = card;
  const { sets } = setDestinations;
  useProcessed(
    {
      item,
      color,
      lots: colors.shown,
      condition,
      price,
      quantity,
      bin: bins.bin,
      destinations,
      sets,
    },
    candidates.items,
  );

  const { held, hold, needsBatch } = useHeldAct({
    batches,
    first,
    chooseBatch: () => setOpened({ what: "batch" }),
    goOn: (act) => (act.do === "accept" ? acceptInto(act.stow, act.unseen) : perform(act)),
  });

  /**
   * Enter: takes the match, then adds it; a number and its colour are added at once. Data that has
   * not loaded is looked up in the background.
   */
  const accept = () => acceptInto(direct);
  /** One word and no lock: asks for the colour, unless the item has only one. */
  const mayAsk =
    locked === null &&
    !/\s/.test(card.text.trim()) &&
    (!settled || colors.state !== "ready" || asking);
  const isAddable = settled
    ? isSaid(card, candidates.items) && (!ready || color !== null)
    : candidates.state !== "failed";
  const isSaidAtOnce =
    numberBeforeWords(card) !== null && card.candidate === 0 && locked === null && isAddable;
  const hasBatch = batches.batch !== null || batches.loading || first.needed;
  const addsAtOnce = !card.taken && isSaidAtOnce && hasBatch && skipping.settling === null;
  const take = () => {
    if (card.text.trim() === "") return;
    dispatch({ type: "taken" });
    if (first.needed) first.make();
    if (mayAsk) awaitColors();
  };
  const acceptInto = (stow: boolean, unseen = !card.taken) => {
    if (!card.taken && !addsAtOnce) return take();
    const { batch } = batches;
    if (!batch) {
      if (!card.taken) dispatch({ type: "taken" });
      return needsBatch({ do: "accept", stow, unseen });
    }
    // What Enter did not name for certain stays on the card, to be looked at.
    if (unseen && settled && !isSaid(card, candidates.items)) return;
    if (!ready && skipping.settling) return;
    if (!ready)
      lookUp({ card, type, seen: narrowedBy, condition, batch, stow, locked, unseen }, Date.now());
    else if (!color) {
      return openField(colorFilter);
    } else if (stow && !bins.bin && !bins.split) {
      dispatch({ type: "taken" });
      return setOpened({ what: "bins" });
    } else {
      const settles = skipping.settling && { settles: skipping.settling.id };
      const draft = { ...draftOfProcessed(batch), ...settles };
      const now = Date.now();
      skipping.settle(null);
      const shares = bins.split ?? [{ bin: bins.bin, pieces: card.quantity }];
      for (const { bin, pieces } of shares) {
        const to = bin && { id: bin.id, name: bin.name };
        sitting.add({ key: newIdempotencyKey(), draft, quantity: pieces, bin: to, stow }, now);
      }
      rememberColor(color.colorId);
      sound("added");
      const { recognition } = recognising;
      const shown =
        card.seen && recognition.state === "found" ? recognition.candidates : left?.candidates;
      if (shown && item) keepCapture(shown, item.id, color.colorId || null);
    }
    stopwatch.added(card.capturedAt, Date.now());
    recognising.forget();
    setLeft(null);
    dispatch({ type: "cleared" });
  };

  /** Back on the card, unless the person has gone on. */
  const askAgain = useEffectEvent((ask: Ask, pieces: number) => {
    const isAsItWas = ask.batch.id === batches.batch?.id && ask.condition === condition;
    if (isBusy() || !isAsItWas) return false;
    dispatch({ type: "asked", card: ask.card, quantity: pieces });
    return true;
  });
  useEffect(() => onOpenQuestion((...asked) => askAgain(...asked)), []);

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

  const mark = (candidate: number) =>
    card.taken ? dispatch({ type: "taken", candidate }) : dispatch({ type: "marked", candidate });
  const stepColor = (step: number) => {
    const at = colors.shown.findIndex((each) => each.colorId === color?.colorId);
    const from = at < 0 && step < 0 ? 0 : at;
    const next = colors.shown[stepped(from, step, colors.shown.length)];
    if (colors.state !== "ready") dispatch({ type: "colorStepped", step });
    else if (next) dispatch({ type: "colorChosen", colorId: next.colorId });
  };
  const changeBy = (by: number) => {
    if (card.taken) return dispatch({ type: "quantitySet", quantity: card.quantity + by });
    const row = lastRow(inBatch(sitting.store.getState(), batchId));
    const lookup = newestLookup(row?.addedAt ?? 0);
    if (lookup) setLookupQuantity(lookup.key, lookup.quantity + by);
    else if (row) setQuantity(row.key, row.quantity + by);
  };
  /** Changes the quantity of the card, or of the last row if the card is empty. */
  const setPieces = (quantity: number) => {
    if (card.taken) return dispatch({ type: "quantitySet", quantity });
    const row = lastRow(session);
    if (row) setQuantity(row.key, quantity);
  };
  const undo = () => {
    stopwatch.undone();
    const lookup = newestLookup(lastRow(sitting.store.getState())?.addedAt ?? 0);
    if (lookup) setLookupQuantity(lookup.key, 0);
    else sitting.undo(Date.now());
  };
  const goAway = useLeave();
  /** Leaves the page; shows the totals of the session first if there are any. */
  const leave = () =>
    counters(sitting.store.getState()).pieces > 0 ? setOpened({ what: "summary" }) : goAway();
  const clear = () => {
    hold(null);
    setLeft(null);
    recognising.forget();
    skipping.settle(null);
    dispatch({ type: "cleared" });
    search.current?.focus();
  };

  /** A lot below the lowest value is only counted. */
  const countAsBulk = () => {
    const { batch } = batches;
    if (!batch) return needsBatch({ do: "bulk" });
    const now = Date.now();
    const draft = bulkDraft(batch, condition);
    const { quantity } = card;
    sitting.addBulk({ key: newIdempotencyKey(), draft, quantity, bin: null, stow: false }, now);
    stopwatch.added(card.capturedAt, now);
    sound("added");
    clear();
  };

  const searchBy = (type: SearchType) => {
    clientStore.set("itemBeingProcessed.searchType", type);
    search.current?.focus();
    search.current?.select();
  };
  const handlers: { [Do in Command["do"]]: (command: Extract<Command, { do: Do }>) => void } = {
    accept,
    take,
    escape: () => (isBlank(card) ? leave() : clear()),
    searchBy: ({ type }) => searchBy(type),
    candidate: ({ index }) => {
      if (candidates.items[index]) dispatch({ type: "taken", candidate: index });
    },
    moveCandidate: ({ step }) => mark(stepped(card.candidate, step, candidates.items.length)),
    moveColor: ({ step }) => stepColor(step),
    toggleCondition: () => setCondition(condition === "N" ? "U" : "N"),
    digit: ({ digit }) => dispatch({ type: "digit", digit }),
    eraseDigit: () => dispatch({ type: "digitErased" }),
    change: ({ by }) => changeBy(by),
    undo,
    redo: () => sitting.redo(Date.now()),
    chooseBin: () => item && openDialog({ what: "bins" }),
    chooseBatch: () => openDialog({ what: "batch" }),
    editPrice: () => openField(priceField),
    filterColors: () => openField(colorFilter),
    lockColor: () => lockColor(color && color.colorId !== locked ? color.colorId || null : null),
    bulk: countAsBulk,
    toggleMode: () => clientStore.toggle("options.stowDirectly"),
    showKeys: () => setOpened({ what: "keys" }),
    capture: () => {
      if (searchType !== "image") searchBy("image");
      else if (card.seen && !recognising.awaitsSecond) recognising.awaitSecond();
      else recognising.camera.current?.capture();
    },
    holdCamera: () => recognising.camera.current?.holdOrResume(),
    nextLookup,
    putAside: () => {
      const [first] = setDestinations.sets;
      if (first) setDestinations.putAside(first, card.quantity, clear);
    },
    showMinifigs: () => item?.item_type === "PART" && setOpened({ what: "minifigs" }),
    weigh: () => item && openDialog({ what: "weigh" }),
    skip: () => {
      // A piece that is looked up again is already skipped, with its photo.
      if (skipping.settling) clear();
      else if (batchId === null) needsBatch({ do: "skip" });
      else skipping.skip(condition, clear);
    },
  };
  // Each handler takes its own command; TypeScript cannot infer that from the key.
  const perform = (command: Command) => (handlers[command.do] as (given: Command) => void)(command);
  const run = (command: Command) => {
    // A held add keeps its quantity: a number typed afterwards does not change it.
    if (!held || command.do === "escape") perform(command);
  };
  useStationKeys({
    search,
    taken: card.taken,
    laterCandidate: card.candidate > 0,
    covered: opened !== null,
    run,
    onKey: stopwatch.pressed,
  });
  useStowScans({
    taken: card.taken,
    bin: bins.bin,
    choose: (bin) => dispatch({ type: "binChosen", bin }),
    accept: () => acceptInto(true),
    covered: opened !== null,
    onCard: (act) => {
      switch (act.act) {
        case "command":
          return run(act.command);
        case "condition":
          return setCondition(act.condition);
        case "clear":
          return clear();
        case "batch":
          return batches.choose(act.id);
        case "quantity":
          return setPieces(act.quantity);
        case "tray": {
          const bin = card.taken ? bins.bin : lastRow(session)?.bin;
          if (!bin) return toast.info("Take a part first: the tray is for its bin");
          giveTray(bin, act.tray);
          return toast.success(`Tray ${act.tray} is for ${aisleOf(bin.name)} now`);
        }
      }
    },
  });

  return {
    card,
    dispatch,
    /** The totals of this session for the batch, and of the whole session. */
    session,
    wholeSession,
    recognising,
    setDestinations,
    isBusy,
    skipping,
    /** Looks a skipped piece up again; the next accepted item identifies it. */
    settleSkipped: (skipped: BatchItem) => {
      setOpened(null);
      dispatch({ type: "cleared" });
      skipping.settle(skipped);
    },
    /** What was seen and is none of the candidates: it narrows the search by number and name. */
    left,
    keepOfLeft: (kept: Partial<LeftPicture>) => setLeft(left && { ...left, ...kept }),
    noneOfThese: () => {
      const { recognition } = recognising;
      const found = seenOf(recognition);
      recognising.forget();
      dispatch({ type: "cleared" });
      setLeft(leftOf(found, colors.chosen));
      search.current?.focus();
    },
    takePicture: (picture: Blob, source: Source, takenAt: number) => {
      stopwatch.captured();
      // Away from the pressed button, or Enter would press it again; not into the field, which
      // would open a phone's keyboard over the picture.
      focus.toCard();
      recognising.onPicture(picture, source, takenAt);
    },
    partLifted: () => {
      recognising.onLifted();
      if (opened?.what === "notFound" && opened.search === "webcam") setOpened(null);
    },
    opened,
    setOpened,
    condition,
    searchType,
    direct,
    batches,
    first,
    candidates,
    item,
    colors,
    bins,
    price,
    ready,
    /** Enter adds the match without taking it first. */
    addsAtOnce: addsAtOnce && settled,
    run,
    searchBy,
    leave,
    goAway,
    setCount: (quantity: number) => {
      dispatch({ type: "quantitySet", quantity });
      setOpened(null);
    },
    /** A figure found by one of its parts becomes the card: Enter adds it as one lot. */
    addFigure: (figure: CatalogItem) => {
      setOpened(null);
      dispatch({ type: "seen", items: [figure], capturedAt: card.capturedAt ?? Date.now() });
    },
    /** The target of the focus after a field or a button. */
    backToCard: () => focus.backToCard(),
    /** An item that the catalogue lacks, named for people. */
    addCustom: (custom: CustomItem) => {
      const { batch } = batches;
      if (!batch) return setOpened({ what: "batch" });
      const draft: Draft = {
        batchId: batch.id,
        batchName: batch.name,
        batchPieces: batch.batch_item_item_count,
        lotId: null,
        itemNumber: custom.number,
        itemName: custom.name,
        itemType: custom.type,
        imageUrl: null,
        colorId: custom.colorId,
        colorName: custom.colorName,
        colorHtml: custom.colorHtml,
        condition,
        price: null,
        ...(skipping.settling && { settles: skipping.settling.id }),
      };
      const added = { draft, quantity: card.quantity, bin: null, stow: false };
      sitting.add({ key: newIdempotencyKey(), ...added }, Date.now());
      sound("added");
      setOpened(null);
      clear();
    },
    /** A failed add that was typed ahead returns to the search field, where it can be changed. */
    editLookup: ({ key, ask }: Lookup) => {
      setLookupQuantity(key, 0);
      dispatch({ type: "typed", text: ask.card.text });
      search.current?.focus();
    },
    takeItem: ({ item_type: type, item_number: number }: CatalogItem) => {
      setNamed({ type, number });
      dispatch({ type: "typed", text: number });
      dispatch({ type: "taken" });
    },
    /** The chosen colour. Chosen by name and Enter, the item is added at once. */
    chooseColor: ({ colorId }: ColorOption, { add }: { add: boolean }) => {
      if (!card.taken) dispatch({ type: "taken" });
      dispatch({ type: "colorChosen", colorId });
      // In the next commit, with the colour on the card. A skipped piece waits for the person to
      // check it.
      if (add && !skipping.settling) hold({ do: "accept", stow: direct, unseen: false });
    },
    chooseBin: (bin: Bin | null) => {
      dispatch({ type: "binChosen", bin });
      setOpened(null);
    },
    refs,
    itemKey: item && itemKeyOf(item),
  };
}

export const setCondition = (condition: "N" | "U") =>
  clientStore.set("itemBeingProcessed.condition", condition);

export const setQuantity = (key: string, quantity: number) =>
  sitting.setQuantity(key, quantity, Date.now());

/** Text typed during a picture search: one word with a digit is a number. */
function searchedBy(type: SearchType, text: string): NotFoundSearch {
  if (type !== "image") return type;
  return /^\S*\d\S*$/.test(text) ? "number" : "name";
}

/** Back to the previous page, or home if there is none in the app. */
function useLeave(): () => void {
  const navigate = useNavigate();
  const isUnmoved = useLocation().key === "default";
  return () => {
    // The router's index in the browser's history; choosing a batch adds no entry.
    const isFirst = isUnmoved || window.history.state?.idx === 0;
    return isFirst ? navigate("/app/home") : navigate(-1);
  };
}
