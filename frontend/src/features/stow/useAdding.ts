/** The acts that add what is on the card: Enter, bulk, and what the catalogue lacks. */
import { useEffect, useEffectEvent } from "react";
import { type CustomItem, rememberColor } from "@/features/catalog/public";
import { newIdempotencyKey } from "@/shared/lib/idempotencyKey";
import { bulkDraft } from "./bulk";
import { numberBeforeWords } from "./card";
import { isSaid } from "./choices";
import { type Ask, lookUp, onOpenQuestion } from "./lookups";
import { draftOfProcessed } from "./processed";
import type { Draft } from "./session";
import { sitting } from "./sitting";
import { sound } from "./sounds";
import { stopwatch } from "./stopwatch";
import type { OnCard } from "./useCard";
import { type HeldAct, useHeldAct } from "./useHeldAct";
import type { Pictures } from "./usePictures";
import type { Skipping } from "./useSkipping";

export type Adding = ReturnType<typeof useAdding>;

export function useAdding(onCard: OnCard, pictures: Pictures, skipping: Skipping) {
  const { card, dispatch, setOpened, condition, locked, batches, first, type } = onCard;
  const { candidates, settled, colors, color, bins, ready } = onCard;
  const { asking, openField, awaitColors, refs } = onCard.focus;
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
    refs.search.current?.focus();
  };

  /**
   * Enter: takes the match, then adds it; a number and its colour are added at once. Data that has
   * not loaded is looked up in the background.
   */
  const accept = () => acceptInto(onCard.direct);
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
    if (!ready) {
      const seen = onCard.narrowedBy;
      lookUp({ card, type, seen, condition, batch, stow, locked, unseen }, Date.now());
    } else if (!color) {
      return openField(refs.colorFilter);
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
      pictures.keepExample();
    }
    stopwatch.added(card.capturedAt, Date.now());
    pictures.forget();
    dispatch({ type: "cleared" });
  };

  /** Back on the card, unless the person has gone on. */
  const askAgain = useEffectEvent((ask: Ask, pieces: number) => {
    const isAsItWas = ask.batch.id === batches.batch?.id && ask.condition === condition;
    if (onCard.isBusy() || !isAsItWas) return false;
    dispatch({ type: "asked", card: ask.card, quantity: pieces });
    return true;
  });
  useEffect(() => onOpenQuestion((...asked) => askAgain(...asked)), []);

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

  const skip = () => {
    // A piece that is looked up again is already skipped, with its photo.
    if (skipping.settling) clear();
    else if (!batches.batch) needsBatch({ do: "skip" });
    else skipping.skip(condition, clear);
  };

  return {
    held,
    hold,
    clear,
    accept,
    acceptInto,
    take,
    countAsBulk,
    skip,
    /** Enter adds the match without taking it first. */
    addsAtOnce: addsAtOnce && settled,
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
  };
}
