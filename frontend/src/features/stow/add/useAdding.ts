/** The acts that add what is on the card: Enter, bulk, and what the catalogue lacks. */
import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import type { BatchChoice, CustomItem } from "@/features/catalog/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { tellFailure } from "@/shared/ui/tellFailure";
import { numberBeforeWords } from "../find/card";
import type { OnCard } from "../find/useCard";
import type { Pictures } from "../find/usePictures";
import { isSaid } from "../part/choices";
import { addResolved } from "../resolve";
import { draftOfCustom } from "../session/session";
import { sitting } from "../session/sitting";
import { stopwatch } from "../session/stopwatch";
import type { FirstSitting } from "../session/useFirstSitting";
import { bulkDraft } from "./bulk";
import { type Lookup, leaveInList, lookUp, setLookupQuantity, useLookups } from "./lookups";
import { sound } from "./sounds";
import type { Skipping } from "./useSkipping";

export type Adding = ReturnType<typeof useAdding>;

export function useAdding(onCard: OnCard, pictures: Pictures, skipping: Skipping) {
  const { card, dispatch, setOpened, condition, batches, first } = onCard;
  const goOn = (act: HeldAct) => {
    if (act.do === "accept") acceptInto(act.stow, act.unseen);
    else if (act.do === "bulk") countAsBulk();
    else skip();
  };
  const { held, hold, needsBatch } = useHeldAct({
    batches,
    first,
    chooseBatch: () => setOpened({ what: "batch" }),
    goOn,
  });
  const clear = () => {
    hold(null);
    pictures.forget();
    skipping.settle(null);
    dispatch({ type: "cleared" });
    onCard.focus.refs.search.current?.focus();
  };
  useAskedAgain(onCard);

  const addsAtOnce = enterAdds(onCard, skipping);
  const take = () => {
    if (card.text.trim() === "") return;
    dispatch({ type: "taken" });
    if (first.needed) first.make();
    if (mayAskForColor(onCard)) onCard.focus.awaitColors();
  };
  const acceptInto = (stow: boolean, unseen = !card.taken) => {
    if (!card.taken && !addsAtOnce) return take();
    const { batch } = batches;
    if (!batch) {
      if (!card.taken) dispatch({ type: "taken" });
      return needsBatch({ do: "accept", stow, unseen });
    }
    // What Enter did not name for certain stays on the card, to be looked at.
    if (unseen && onCard.settled && !isSaid(card, onCard.matches.items)) return;
    if (!onCard.ready) {
      if (skipping.settling) return;
      lookUp({ ...onCard.asked, batch, stow, unseen }, Date.now()).catch(tellFailure);
    } else {
      if (asksFirst(onCard, stow)) return;
      const add = { batch, condition, quantity: card.quantity, stow, ...settles(skipping) };
      void addResolved(onCard, { key: newIdempotencyKey(), ...add }, Date.now());
      sound("added");
      skipping.settle(null);
      pictures.keepExample();
    }
    stopwatch.added(card.capturedAt, Date.now());
    pictures.forget();
    dispatch({ type: "cleared" });
  };

  /** A lot below the lowest value is only counted. */
  const countAsBulk = () => {
    const { batch } = batches;
    if (!batch) return needsBatch({ do: "bulk" });
    const now = Date.now();
    const draft = bulkDraft(batch, condition);
    const { quantity } = card;
    void sitting.add({ key: newIdempotencyKey(), draft, quantity, bin: null, stow: false }, now);
    stopwatch.added(card.capturedAt, now);
    sound("added");
    clear();
  };

  const skip = () => {
    // A piece that is looked up again is already skipped, with its photo.
    if (skipping.settling) clear();
    else if (!batches.batch) needsBatch({ do: "skip" });
    else skipping.skip(condition, clear);
  };

  const addCustom = (custom: CustomItem) => {
    const { batch } = batches;
    if (!batch) return setOpened({ what: "batch" });
    const draft = { ...draftOfCustom(batch, custom, condition), ...settles(skipping) };
    const added = { draft, quantity: card.quantity, bin: null, stow: false };
    void sitting.add({ key: newIdempotencyKey(), ...added }, Date.now());
    sound("added");
    setOpened(null);
    clear();
  };

  return {
    held,
    hold,
    clear,
    /**
     * Enter: takes the match, then adds it; a number and its colour are added at once. Data that has
     * not loaded is looked up in the background.
     */
    accept: () => acceptInto(onCard.direct),
    acceptInto,
    take,
    countAsBulk,
    skip,
    /** Enter adds the match without taking it first. */
    addsAtOnce: addsAtOnce && onCard.settled,
    /** Adds an item that the catalogue lacks, named for people. */
    addCustom,
  };
}

/** An act that waits: for the batch that it adds to, or for what it adds to be on the card. */
type HeldAct =
  /** `unseen`: Enter was pressed before the match was taken. */
  { do: "accept"; stow: boolean; unseen: boolean } | { do: "bulk" | "skip" };

function useHeldAct(station: {
  batches: Pick<BatchChoice, "loading">;
  first: Pick<FirstSitting, "needed" | "name" | "make" | "error">;
  chooseBatch: () => void;
  goOn: (act: HeldAct) => void;
}) {
  const { batches, first, chooseBatch } = station;
  const [held, hold] = useState<HeldAct | null>(null);
  /** The act waits for the batch that loads or is made now; else one is chosen. */
  const needsBatch = (act: HeldAct) => {
    if (!batches.loading && !first.needed) return chooseBatch();
    first.make();
    hold(act);
  };
  const goOn = useEffectEvent((act: HeldAct) => {
    hold(null);
    station.goOn(act);
  });
  // It may have been held before it was known that there is no batch yet.
  const begin = useEffectEvent(() => (first.name.trim() === "" ? hold(null) : first.make()));
  useEffect(() => {
    if (!held || batches.loading) return;
    if (first.needed) begin();
    else goOn(held);
  }, [held, batches.loading, first.needed]);
  // What could not be made leaves the part on its card.
  useEffect(() => {
    if (first.error) hold(null);
  }, [first.error]);
  return { held, hold, needsBatch };
}

/** Whether Enter adds what is typed without taking it first: a number with all that it needs. */
function enterAdds(onCard: OnCard, skipping: Skipping): boolean {
  const { card, at, settled, matches, ready, color, locked, batches, first } = onCard;
  const isAddable = settled
    ? isSaid(card, matches.items) && (!ready || color !== null)
    : matches.state !== "failed";
  const isNumber = numberBeforeWords(card) !== null && at === 0 && locked === null;
  const hasBatch = batches.batch !== null || batches.loading || first.needed;
  return !card.taken && isNumber && isAddable && hasBatch && skipping.settling === null;
}

/** One word and no lock: asks for the colour, unless the item has only one. */
function mayAskForColor({ card, locked, settled, colors, focus }: OnCard): boolean {
  const isOneWord = !/\s/.test(card.text.trim());
  return locked === null && isOneWord && (!settled || colors.state !== "ready" || focus.asking);
}

/** Asks for the colour or the bin that an add still lacks. Returns whether it did. */
function asksFirst({ color, bins, focus, dispatch, setOpened }: OnCard, stow: boolean): boolean {
  if (!color) focus.openField(focus.refs.colorFilter);
  else if (stow && !bins.bin && !bins.split) {
    dispatch({ type: "taken" });
    setOpened({ what: "bins" });
  } else return false;
  return true;
}

const settles = ({ settling }: Skipping) => (settling ? { settles: settling.id } : {});

/** What an add that was typed ahead leaves open is back on the card, unless the person has gone on. */
function useAskedAgain({ batches, condition, dispatch, isBusy }: OnCard): void {
  const lookups = useLookups();
  const askAgain = useEffectEvent(([first, ...later]: readonly Lookup[]) => {
    if (!first) return;
    const { key, ask, quantity } = first;
    const isAsItWas = ask.batch.id === batches.batch?.id && ask.condition === condition;
    if (isBusy() || !isAsItWas) return leaveInList([first, ...later]);
    leaveInList(later);
    setLookupQuantity(key, 0);
    dispatch({ type: "asked", card: ask.card, quantity });
  });
  useLayoutEffect(() => askAgain(lookups.filter(({ isOpen }) => isOpen)), [lookups]);
}
