import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import {
  type CatalogItem,
  catalogQueries,
  meantColor,
  NO_COLOR,
  rankColors,
  recentColors,
  rememberColor,
  stockQueries,
  useAddToBatch,
  useLockedColor,
} from "@/features/catalog/public";
import { shortPrice, wholeOf } from "@/shared/lib/amounts";
import { problemText } from "@/shared/lib/problem";
import { clientStore } from "@/shared/store/clientStore";
import type { Condition } from "@/shared/ui/Lot";
import { useSideQuery, useTellMissing } from "@/shared/ui/sideQuery";
import type { BatchItem } from "../model";
import { BLANK, bodyOf, type Draft, needsColor, problemsOf } from "./draft";

/** The item that is being typed: its fields, its errors, and how it is added. */
export function useItemDraft(props: {
  batchId: number;
  form: RefObject<HTMLFormElement | null>;
  onAdded: (row: BatchItem) => void;
}) {
  const { batchId, form, onAdded } = props;
  const [draft, setDraft] = useState(BLANK);
  const [turn, setTurn] = useState(0);
  const [condition, setCondition] = useState(() => clientStore.get("itemBeingProcessed.condition"));
  const [asked, setAsked] = useState(false);
  /** An item is being added, until something of the next item is typed. */
  const sending = useRef(false);
  /** The item that was refused after the next one was begun. */
  const [lost, setLost] = useState<string | null>(null);
  const add = useAddToBatch();
  const { item } = draft;
  const colors = useColorsOf(item, condition);

  const color =
    draft.colorText === null
      ? colors.meant
      : // As it is now: its price goes with the condition.
        (colors.options.find(({ colorId }) => colorId === draft.color?.colorId) ?? draft.color);
  const colorText = draft.colorText ?? (colors.needsColor ? (colors.meant?.name ?? "") : "");
  const price = draft.price ?? (color?.price ? shortPrice(color.price) : "");
  const fields = { color, colorText, price, condition, needsColor: colors.needsColor };
  const problems = problemsOf(draft, fields);

  const pieces = problems.quantity ? 1 : wholeOf(draft.quantity);
  const destinations = useQuery({
    ...stockQueries.destinations(color?.lotId ?? 0, condition, pieces),
    enabled: typeof color?.lotId === "number",
  });
  useTellMissing(destinations, "the bins for it");

  const focus = (field: string) => {
    const input = form.current?.querySelector<HTMLInputElement>(`[data-field="${field}"] input`);
    input?.focus();
    return input;
  };
  // Once it is known whether the colour is a question: on to it, or past it.
  const itemId = colors.isReady ? item?.id : undefined;
  const next = colors.needsColor && !colors.meant ? "color" : "quantity";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each item that is chosen
  useEffect(() => {
    if (itemId !== undefined) focus(next);
  }, [itemId]);

  /** To the next item, with what is typed of it. */
  const goOn = (begun: Partial<Draft>) => {
    sending.current = false;
    setDraft({ ...BLANK, ...begun });
    if (begun.locationText === undefined) setTurn((before) => before + 1);
  };
  const change = (changes: Partial<Draft>) => {
    if (sending.current) goOn(changes);
    else setDraft((before) => ({ ...before, ...changes }));
  };
  const submit = () => {
    if (add.isPending || sending.current) return;
    setAsked(true);
    if (!item || Object.keys(problems).length > 0 || !colors.isReady) return;
    if (color) rememberColor(color.colorId);
    setAsked(false);
    setLost(null);
    sending.current = true;
    // What is typed from now on is the next item: it replaces this one.
    focus("item")?.select();
    add.mutate(
      { batch_id: batchId, ...bodyOf({ ...draft, item }, fields) },
      {
        onSuccess: (row) => {
          onAdded(row);
          if (sending.current) goOn({});
        },
        onError: () => {
          if (!sending.current) setLost(draft.itemText);
          sending.current = false;
        },
      },
    );
  };
  const error = add.error ?? colors.error;
  return {
    ...fields,
    draft,
    change,
    setCondition,
    colors,
    /** Numbers are checked while they are typed; empty fields after the first attempt to add. */
    problems: asked ? problems : { quantity: problems.quantity, price: problems.price },
    /** The bin that the stock recommends for it. */
    recommended: destinations.data?.find((each) => each.recommended) ?? null,
    /** Another one for each item: fields with a state of their own start empty. */
    turn,
    submit,
    adding: add.isPending,
    error: error && `${lost ? `${lost} was not added. ` : ""}${problemText(error)}`,
  };
}

/** The colours an item comes in, likeliest first, each with its price; and the one that is meant. */
function useColorsOf(item: CatalogItem | null, condition: Condition) {
  const locked = useLockedColor();
  const lots = useQuery({
    ...catalogQueries.lots(item?.id ?? 0, condition),
    enabled: item !== null,
    // The colours stay while the prices of the other condition are fetched.
    placeholderData: (before, query) => (query?.queryKey[2] === item?.id ? before : undefined),
  });
  const all = useSideQuery(catalogQueries.colors(), "the colours");
  const colored = item !== null && needsColor(item, lots.data ?? []);
  const named = item && meantColor(item, lots.data ?? [], locked);
  const options = useMemo(
    () =>
      rankColors(lots.data ?? [], {
        owned: new Map(),
        namedColorId: named,
        recentColorIds: recentColors(),
        commonness: new Map(all?.map((color) => [color.id, color.part_count])),
      }),
    [lots.data, named, all],
  );
  const known = options.filter(({ isKnown }) => isKnown);
  const only = known.length === 1 ? known[0] : undefined;
  const meant =
    options.find(({ colorId }) => colorId === (colored ? named : NO_COLOR.colorId)) ?? only ?? null;
  return {
    options,
    all: all ?? [],
    meant,
    needsColor: colored,
    /** Whether the catalogue has any colours of it: if not, a missing one means nothing. */
    isTold: known.length > 0,
    isReady: item !== null && lots.isSuccess && !lots.isPlaceholderData,
    error: lots.error,
  };
}
