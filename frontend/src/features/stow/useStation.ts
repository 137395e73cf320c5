import { useQueryClient } from "@tanstack/react-query";
import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
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
import {
  keepCapture,
  type Candidate as SeenItem,
  type Source,
} from "@/features/recognition/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import {
  areKeysKept,
  keepKeysFor,
  keptLetters,
  loseKeys,
  passKeptKeys,
  takeKeptDigits,
} from "@/shared/scanner/keyLine";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import { bulkDraft, withBulk } from "./bulk";
import { cardReducer, emptyCard, isBlank, isTouched, stepped } from "./card";
import type { Command } from "./keys";
import { type Lookup, lookUp, newestLookup, setLookupQuantity } from "./lookups";
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
  redone,
  type Session,
  undone,
  withAdded,
  withQuantity,
} from "./session";
import { sitting, useSitting } from "./sitting";
import { sound } from "./sounds";
import { stopwatch } from "./stopwatch";
import { aisleOf, giveTray } from "./trays";
import { useBatchChoice } from "./useBatchChoice";
import { useBins } from "./useBins";
import { useCandidates, usePrefetchedMatches } from "./useCandidates";
import { useColors } from "./useColors";
import { nextLookup, type Seen, useRecognition } from "./useRecognition";
import { useSetDestinations } from "./useSetDestinations";
import { useSkipping } from "./useSkipping";
import { useStationKeys } from "./useStationKeys";
import { useStowScans } from "./useStowScans";

const whole = (session: Session) => session;

/** What lies over the station, if anything does. */
export type Opened =
  | null
  | { what: "keys" | "session" | "batch" | "bins" | "weigh" | "stopwatch" | "summary" | "skipped" }
  | { what: "minifigs"; figure?: CatalogItem }
  | { what: "newBin"; name: string }
  | { what: "notFound"; search: NotFoundSearch; text: string }
  | { what: "custom"; text: string }
  | { what: "override" | "otherBin"; key: string }
  | { what: "newBinFor"; key: string; name: string };

/** What was asked before it was known which batch it is for. */
type Held = { do: "accept"; stow: boolean } | { do: "bulk" | "skip" };

export type Station = ReturnType<typeof useStation>;

/** All that the station knows and can do; its parts draw it. */
export function useStation() {
  // An item that was named whole, by a link or in a dialog: its number alone may have several.
  const fromLink = itemOfKey(useSearchParams()[0].get("item"));
  const [named, setNamed] = useState(fromLink);
  const [card, dispatch] = useReducer(cardReducer, fromLink, (link) =>
    link ? { ...emptyCard, text: link.number, taken: true } : emptyCard,
  );
  const client = useQueryClient();
  const [laterLots, setLaterLots] = useState<readonly number[]>([]);
  const [opened, setOpened] = useState<Opened>(null);
  const [held, setHeld] = useState<Held | null>(null);
  const condition = useClientState("itemBeingProcessed.condition");
  const searchType = useClientState("itemBeingProcessed.searchType");
  const direct = useClientState("options.stowDirectly");
  const locked = useLockedColor();
  const wholeSession = useSitting(whole);

  const batches = useBatchChoice();
  const batchId = batches.batch?.id ?? null;
  const session = useMemo(() => inBatch(wholeSession, batchId), [wholeSession, batchId]);
  const type = card.text === named?.number ? named.type : null;
  const [left, setLeft] = useState<LeftPicture | null>(null);
  const seenOf = useMemo(() => left && { colorId: left.colorId, category: left.category }, [left]);
  const candidates = useCandidates(card, type, seenOf);
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

  const search = useRef<HTMLInputElement>(null);
  const cardBox = useRef<HTMLDivElement>(null);
  const colorFilter = useRef<HTMLInputElement>(null);
  const priceField = useRef<HTMLInputElement>(null);

  /** The colour has to be said before it can be added. */
  const asking = item !== null && settled && colors.asks !== null;
  /** A field, or what comes of the colours: their question, or the card where there is none. */
  const awaited = useRef<typeof colorFilter | "colors" | null>(null);
  /** Puts the focus into a field of the card once it is there; what is typed meanwhile follows. */
  const openField = (field: typeof colorFilter) => {
    if (!card.taken && !item) return;
    keepKeysFor((focused) => focused === field.current, giveUp);
    awaited.current = field;
    arriveInField();
  };
  const giveUp = (letters: string) => {
    awaited.current = null;
    if (letters) toast.info(`“${letters}” was not used: what it was typed for did not open`);
  };
  const arriveInField = () => {
    const field = awaited.current;
    if (field === "colors") return arriveAtColors();
    // Until then it belongs to a match of what was typed before, and may go again.
    if (!field?.current || !settled) return;
    awaited.current = null;
    focusOn(field);
  };
  /** What is typed after a number may be its colour: it waits until that is known. */
  const awaitColors = () => {
    awaited.current = "colors";
    const isIt = (focused: Element) =>
      awaited.current === null && (focused === colorFilter.current || focused === cardBox.current);
    keepKeysFor(isIt, giveUp);
    arriveInField();
  };
  const arriveAtColors = () => {
    if (!settled || colors.state !== "ready" || (asking && !colorFilter.current)) return;
    awaited.current = null;
    // A digit means one of the pictures only once they are seen: before that it is how many.
    const digits = takeKeptDigits();
    if (digits) dispatch({ type: "quantitySet", quantity: Number(digits) });
    // At the card the letters of a colour would be commands.
    if (!asking && keptLetters() !== "") loseKeys();
    if (asking) focusOn(colorFilter);
    else focusQuietly(cardBox);
    passKeptKeys();
  };
  const noField =
    (!card.taken && !item) || candidates.state === "failed" || colors.state === "failed";
  useEffect(() => {
    if (awaited.current && noField) loseKeys();
    if (awaited.current !== "colors" || card.taken) arriveInField();
  });
  const openDialog = (dialog: NonNullable<Opened>) => {
    keepKeysFor((focused) => focused.closest("[role=dialog]") !== null, giveUp);
    setOpened(dialog);
  };

  // The keyboard is where the work is: typing a number, or at the card of what was taken.
  const focus = useEffectEvent(() => {
    if (areKeysKept() || opened !== null) return;
    if (card.taken && asking) focusOn(colorFilter);
    else focusQuietly(card.taken ? cardBox : search);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: taking and letting go move the focus
  useEffect(focus, [card.taken, asking]);
  useEffect(() => {
    if (opened !== null) return;
    // A closing dialog gives the focus back where it was, a turn later; what counts is where the
    // work is now.
    const timer = setTimeout(focus);
    return () => clearTimeout(timer);
  }, [opened]);

  const isBusy = () => isTouched(card) || opened !== null;
  const onSeen = (seen: Seen) => {
    setLeft(null);
    if (seen.what === "items") {
      // Beside the colours, not after them: the bin is what one waits for.
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
  const recognising = useRecognition({ isBusy, onSeen });
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

  const needsBatch = (asked: Held) =>
    batches.loading ? setHeld(asked) : setOpened({ what: "batch" });
  const goOn = useEffectEvent((asked: Held) => {
    setHeld(null);
    if (asked.do === "accept") acceptInto(asked.stow);
    else perform(asked);
  });
  useEffect(() => {
    if (held && !batches.loading) goOn(held);
  }, [held, batches.loading]);

  /** Enter: takes the match, then adds it; what is not there yet is looked up behind the scenes. */
  const accept = () => acceptInto(direct);
  /** One word and no lock: its colour is asked for, unless it is known to have only one. */
  const mayAsk =
    locked === null &&
    !/\s/.test(card.text.trim()) &&
    (!settled || colors.state !== "ready" || asking);
  const acceptInto = (stow: boolean) => {
    if (!card.taken) {
      if (card.text.trim() === "") return;
      dispatch({ type: "taken" });
      if (mayAsk) awaitColors();
      return;
    }
    const { batch } = batches;
    if (!batch) return needsBatch({ do: "accept", stow });
    if (!ready && skipping.settling) return;
    if (!ready)
      lookUp(client, { card, type, seen: seenOf, condition, batch, stow, locked }, Date.now());
    else if (!color) {
      return openField(colorFilter);
    } else if (stow && !bins.bin && !bins.split) return setOpened({ what: "bins" });
    else {
      const settles = skipping.settling && { settles: skipping.settling.id };
      const draft = { ...draftOfProcessed(batch), ...settles };
      const now = Date.now();
      skipping.settle(null);
      const shares = bins.split ?? [{ bin: bins.bin, pieces: card.quantity }];
      for (const { bin, pieces } of shares) {
        const to = bin && { id: bin.id, name: bin.name };
        const added = { key: newIdempotencyKey(), draft, quantity: pieces, bin: to, stow };
        sitting.wish((session) => withAdded(session, added, now));
      }
      rememberColor(color.colorId);
      sound("added");
      const { recognition } = recognising;
      if (card.seen && item && recognition.state === "found") {
        keepCapture(recognition.candidates, item.id);
      } else if (left && item) keepCapture(left.candidates, item.id);
    }
    stopwatch.added(card.capturedAt, Date.now());
    recognising.forget();
    setLeft(null);
    dispatch({ type: "cleared" });
  };

  const missed = card.taken && settled && item === null;
  const failed = card.taken && candidates.state === "failed";
  const release = useEffectEvent(() => {
    const found = candidates.items.length > 0;
    // Fewer matches than the one that was marked: the first one is meant.
    if (found && !failed) return dispatch({ type: "taken", candidate: 0 });
    dispatch({ type: "released" });
    const text = card.text.trim();
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
  /** So many of what is on the card, else of the last one. */
  const setPieces = (quantity: number) => {
    if (card.taken) return dispatch({ type: "quantitySet", quantity });
    const row = lastRow(session);
    if (row) setQuantity(row.key, quantity);
  };
  const undo = () => {
    stopwatch.undone();
    const lookup = newestLookup(lastRow(sitting.store.getState())?.addedAt ?? 0);
    if (lookup) setLookupQuantity(lookup.key, 0);
    else sitting.wish(undone);
  };
  const goAway = useLeave();
  /** Out, past the sums of the sitting if it brought anything. */
  const leave = () =>
    counters(sitting.store.getState()).pieces > 0 ? setOpened({ what: "summary" }) : goAway();
  const clear = () => {
    setHeld(null);
    setLeft(null);
    recognising.forget();
    skipping.settle(null);
    dispatch({ type: "cleared" });
    search.current?.focus();
  };

  /** What is worth no lot is counted, and nothing else is known of it. */
  const countAsBulk = () => {
    const { batch } = batches;
    if (!batch) return needsBatch({ do: "bulk" });
    const now = Date.now();
    const added = { key: newIdempotencyKey(), draft: bulkDraft(batch, condition) };
    sitting.wish((session) => withBulk(session, { ...added, pieces: card.quantity }, now));
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
    redo: () => sitting.wish(redone),
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
      // What is looked up again is skipped already, with its photo.
      if (skipping.settling) clear();
      else if (batchId === null) needsBatch({ do: "skip" });
      else skipping.skip(condition, clear);
    },
  };
  // The handler of a command takes that command; the compiler cannot follow the key.
  const perform = (command: Command) => (handlers[command.do] as (given: Command) => void)(command);
  const run = (command: Command) => {
    // What is held is added as it was when it was asked: a number typed ahead is no quantity of it.
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
    /** What this sitting brought to the batch, and all of it. */
    session,
    wholeSession,
    recognising,
    setDestinations,
    isBusy,
    skipping,
    /** A skipped piece is looked up again; what is accepted next is what it is. */
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
      const found = recognition.state === "found" ? recognition.candidates : [];
      recognising.forget();
      dispatch({ type: "cleared" });
      setLeft(leftOf(found, colors.chosen));
      search.current?.focus();
    },
    takePicture: (picture: Blob, source: Source, takenAt: number) => {
      stopwatch.captured();
      // Off the button that was pressed, or Enter would press it again; not into the field, which
      // would open a phone's keyboard over the picture.
      focusQuietly(cardBox);
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
    candidates,
    item,
    colors,
    bins,
    price,
    ready,
    run,
    searchBy,
    leave,
    goAway,
    setCount: (quantity: number) => {
      dispatch({ type: "quantitySet", quantity });
      setOpened(null);
    },
    /** A whole figure, found by one of its parts, becomes the card: Enter adds it as one lot. */
    addFigure: (figure: CatalogItem) => {
      setOpened(null);
      dispatch({ type: "seen", items: [figure], capturedAt: card.capturedAt ?? Date.now() });
    },
    /** Where the keyboard goes back to from a field or a button. */
    backToCard: () => focusQuietly(card.taken ? cardBox : search),
    /** What the catalogue does not know, as the person calls it. */
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
      const now = Date.now();
      sitting.wish((session) => withAdded(session, { key: newIdempotencyKey(), ...added }, now));
      sound("added");
      setOpened(null);
      clear();
    },
    /** What was typed ahead and came to nothing goes back to where it can be changed. */
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
    /** The answer to which colour it is; by name and Enter it is added with it. */
    chooseColor: ({ colorId }: ColorOption, { add }: { add: boolean }) => {
      if (!card.taken) dispatch({ type: "taken" });
      dispatch({ type: "colorChosen", colorId });
      // In the next commit, with the colour on the card. A skipped piece waits for a look.
      if (add && !skipping.settling) setHeld({ do: "accept", stow: direct });
    },
    chooseBin: (bin: Bin | null) => {
      dispatch({ type: "binChosen", bin });
      setOpened(null);
    },
    refs: { search, cardBox, colorFilter, priceField },
    itemKey: item && itemKeyOf(item),
  };
}

/** What is left of a picture whose candidates are all wrong. */
export type LeftPicture = {
  colorId: number | null;
  colorName: string;
  colorHtml: string | null;
  category: string | null;
  candidates: readonly SeenItem[];
};

/** The colour that was seen, and the category where the surest agree on one. */
function leftOf(candidates: readonly SeenItem[], color: ColorOption | null): LeftPicture {
  const categories = new Set(candidates.slice(0, AGREEING).map((each) => each.category));
  const [category = ""] = categories;
  return {
    colorId: color?.colorId || null,
    colorName: color?.name ?? "",
    colorHtml: color?.html ?? null,
    category: categories.size === 1 && category ? category : null,
    candidates,
  };
}

const AGREEING = 3;

export const setCondition = (condition: "N" | "U") =>
  clientStore.set("itemBeingProcessed.condition", condition);

export const setQuantity = (key: string, quantity: number) =>
  sitting.wish((session: Session) => withQuantity(session, key, quantity, Date.now()));

/** Typed while pictures are looked for: a number if there is a digit in one word. */
function searchedBy(type: SearchType, text: string): NotFoundSearch {
  if (type !== "image") return type;
  return /^\S*\d\S*$/.test(text) ? "number" : "name";
}

/** Without scrolling: on a phone the bin's letters stay where they are. */
function focusQuietly(box: RefObject<HTMLElement | null>): void {
  box.current?.focus({ preventScroll: true });
}

function focusOn(field: RefObject<HTMLInputElement | null>): void {
  field.current?.focus();
  field.current?.select();
}

/** Back to the page one came from; home where one came from outside. */
function useLeave(): () => void {
  const navigate = useNavigate();
  const isUnmoved = useLocation().key === "default";
  return () => {
    // The router counts its pages in the browser's history; choosing a batch is none of them.
    const isFirst = isUnmoved || window.history.state?.idx === 0;
    return isFirst ? navigate("/app/home") : navigate(-1);
  };
}
