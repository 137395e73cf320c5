/** The station's state and acts, for its components. */
import {
  type CatalogItem,
  type ColorOption,
  itemKeyOf,
  useSetDestinations,
} from "@/features/catalog/public";
import type { Bin } from "@/features/locations/public";
import { type Lookup, setLookupQuantity } from "./add/lookups";
import { useAdding } from "./add/useAdding";
import { useSkipping } from "./add/useSkipping";
import { useStationCommands } from "./add/useStationCommands";
import { useCard } from "./find/useCard";
import { usePictures } from "./find/usePictures";
import type { BatchItem } from "./model";
import { usePublished } from "./publish";

export type Station = ReturnType<typeof useStation>;

export function useStation() {
  const onCard = useCard();
  const { card, dispatch, setOpened, batchId, item, color } = onCard;
  const pictures = usePictures(onCard);
  const { recognising } = pictures;
  const skipping = useSkipping(batchId, recognising);
  const setDestinations = useSetDestinations(color?.lotId ?? null);
  usePublished({ ...onCard, sets: setDestinations.sets });
  const adding = useAdding(onCard, pictures, skipping);
  const commands = useStationCommands(onCard, { adding, recognising, setDestinations });

  return {
    ...onCard,
    ...pictures,
    ...commands,
    setDestinations,
    skipping,
    addsAtOnce: adding.addsAtOnce,
    addCustom: adding.addCustom,
    /** Looks a skipped piece up again; the next accepted item identifies it. */
    settleSkipped: (skipped: BatchItem) => {
      setOpened(null);
      dispatch({ type: "cleared" });
      skipping.settle(skipped);
    },
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
    backToCard: onCard.focus.backToCard,
    /** A failed add that was typed ahead returns to the search field, where it can be changed. */
    editLookup: ({ key, ask }: Lookup) => {
      setLookupQuantity(key, 0);
      dispatch({ type: "typed", text: ask.card.text });
      onCard.focus.refs.search.current?.focus();
    },
    /** The chosen colour. Chosen by name and Enter, the item is added at once. */
    chooseColor: ({ colorId }: ColorOption, { add }: { add: boolean }) => {
      if (!card.taken) dispatch({ type: "taken" });
      dispatch({ type: "colorChosen", colorId });
      // In the next commit, with the colour on the card. A skipped piece waits for the person to
      // check it.
      if (add && !skipping.settling) {
        adding.hold({ do: "accept", stow: onCard.direct, unseen: false });
      }
    },
    chooseBin: (bin: Bin | null) => {
      dispatch({ type: "binChosen", bin });
      setOpened(null);
    },
    refs: onCard.focus.refs,
    itemKey: item && itemKeyOf(item),
  };
}
