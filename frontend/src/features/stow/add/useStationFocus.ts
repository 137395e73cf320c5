/** Where the focus of the station is, and which control the keys go to that are typed meanwhile. */
import { type Dispatch, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { useStable } from "@/shared/lib/useStable";
import {
  areKeysKept,
  keepKeysFor,
  keptLetters,
  loseKeys,
  passKeptKeys,
  takeKeptDigits,
} from "@/shared/scanner/keyLine";
import { toast } from "@/shared/ui/toast";
import type { Card, CardAction } from "../find/card";
import type { Resolved } from "../resolve";

export function useStationFocus(station: {
  card: Card;
  item: CatalogItem | null;
  /** The matches are those of the text on the card. */
  settled: boolean;
  matches: Pick<Resolved["matches"], "state">;
  colors: Pick<Resolved["colors"], "state" | "asks">;
  /** The dialog over the station. */
  opened: object | null;
  dispatch: Dispatch<CardAction>;
}) {
  const { card, item, settled, matches, colors, opened, dispatch } = station;
  const search = useRef<HTMLInputElement>(null);
  const cardBox = useRef<HTMLDivElement>(null);
  const colorFilter = useRef<HTMLInputElement>(null);
  const priceField = useRef<HTMLInputElement>(null);

  /** The colour must be chosen before the item can be added. */
  const asking = item !== null && settled && colors.asks !== null;
  /**
   * A field, or the element after the colours: the colour question, or the card if there is none.
   */
  const awaited = useRef<typeof colorFilter | "colors" | null>(null);
  /** The card as it was when Enter took its match. */
  const takenFrom = useRef<Card | null>(null);
  /** Moves the focus to a field of the card once it exists; keys typed meanwhile follow. */
  const openField = (field: typeof colorFilter) => {
    if (!card.taken && !item) return;
    keepKeysFor((focused) => focused === field.current, giveUp);
    awaited.current = field;
    arriveInField();
  };
  const giveUp = (letters: string) => {
    awaited.current = null;
    if (letters) toast.info(`“${letters}” was ignored: nothing was open to type it into`);
  };
  const arriveInField = () => {
    const field = awaited.current;
    if (field === "colors") return arriveAtColors();
    // Until then the field belongs to a match of an earlier text and may disappear.
    if (!field?.current || !settled) return;
    awaited.current = null;
    focusOn(field);
  };
  /** Text after a number may be its colour: it waits until that is known. */
  const awaitColors = () => {
    awaited.current = "colors";
    takenFrom.current = card;
    const isIt = (focused: Element) =>
      awaited.current === null && (focused === colorFilter.current || focused === cardBox.current);
    keepKeysFor(isIt, giveUp);
    arriveInField();
  };
  const arriveAtColors = () => {
    if (!settled || colors.state !== "ready" || (asking && !colorFilter.current)) return;
    awaited.current = null;
    // A digit chooses one of the pictures only when they are visible; before that it sets the
    // quantity.
    const digits = takeKeptDigits();
    if (digits) dispatch({ type: "quantitySet", quantity: Number(digits) });
    // At the card, the letters of a colour would be commands.
    if (!asking && keptLetters() !== "") loseKeys();
    if (asking) focusOn(colorFilter);
    else focusQuietly(cardBox);
    passKeptKeys();
  };
  const noField = (!card.taken && !item) || matches.state === "failed" || colors.state === "failed";
  useEffect(() => {
    // Enter may come between a commit and its effects: they know nothing of what it took.
    if (awaited.current === "colors" && takenFrom.current === card) return;
    if (awaited.current && noField) loseKeys();
    arriveInField();
  });
  const awaitDialog = () =>
    keepKeysFor((focused) => focused.closest("[role=dialog]") !== null, giveUp);

  // Keys go to the search field, or to the card once an item is taken.
  const focus = useEffectEvent(() => {
    if (areKeysKept() || opened !== null) return;
    if (card.taken && asking) focusOn(colorFilter);
    else focusQuietly(card.taken ? cardBox : search);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: taking and letting go move the focus
  useEffect(focus, [card.taken, asking]);
  useEffect(() => {
    if (opened !== null) return;
    // A closing dialog returns the focus one task later. The new place of the work takes
    // precedence.
    const timer = setTimeout(focus);
    return () => clearTimeout(timer);
  }, [opened]);

  return {
    asking,
    openField,
    awaitColors,
    /** Keys typed before a dialog has opened go to it. */
    awaitDialog,
    toCard: () => focusQuietly(cardBox),
    /** The target of the focus after a field or a button. */
    backToCard: useStable(() => focusQuietly(card.taken ? cardBox : search)),
    refs: { search, cardBox, colorFilter, priceField },
  };
}

/** Without scrolling: on a phone the bin's name stays visible. */
function focusQuietly(box: RefObject<HTMLElement | null>): void {
  box.current?.focus({ preventScroll: true });
}

function focusOn(field: RefObject<HTMLInputElement | null>): void {
  // What was typed in it meanwhile is not selected: the next letter would replace it.
  if (field.current === document.activeElement) return;
  field.current?.focus();
  field.current?.select();
}
