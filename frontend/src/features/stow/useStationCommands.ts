/** The commands of the keys, scans and buttons. */
import { useLocation, useNavigate } from "react-router-dom";
import { lockColor } from "@/features/catalog/public";
import { clientStore } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import { isBlank, stepped } from "./card";
import type { Command } from "./keys";
import { newestLookup, setLookupQuantity } from "./lookups";
import type { SearchType } from "./model";
import { counters, inBatch, lastRow } from "./session";
import { sitting } from "./sitting";
import { stopwatch } from "./stopwatch";
import { aisleOf, giveTray } from "./trays";
import type { Adding } from "./useAdding";
import type { OnCard } from "./useCard";
import { nextLookup, type StationRecognition } from "./useRecognition";
import type { useSetDestinations } from "./useSetDestinations";
import { useStationKeys } from "./useStationKeys";
import { useStowScans } from "./useStowScans";

export function useStationCommands(
  onCard: OnCard,
  given: {
    adding: Adding;
    recognising: StationRecognition;
    setDestinations: ReturnType<typeof useSetDestinations>;
  },
) {
  const { card, dispatch, opened, setOpened, openDialog, condition, searchType, locked } = onCard;
  const { session, batches, batchId, candidates, item, colors, color, bins, focus } = onCard;
  const { adding, recognising, setDestinations } = given;
  const { clear, held } = adding;
  const { refs } = focus;

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
  const searchBy = (type: SearchType) => {
    clientStore.set("itemBeingProcessed.searchType", type);
    refs.search.current?.focus();
    refs.search.current?.select();
  };
  const handlers: { [Do in Command["do"]]: (command: Extract<Command, { do: Do }>) => void } = {
    accept: adding.accept,
    take: adding.take,
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
    editPrice: () => focus.openField(refs.priceField),
    filterColors: () => focus.openField(refs.colorFilter),
    lockColor: () => lockColor(color && color.colorId !== locked ? color.colorId || null : null),
    bulk: adding.countAsBulk,
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
    skip: adding.skip,
  };
  // Each handler takes its own command; TypeScript cannot infer that from the key.
  const perform = (command: Command) => (handlers[command.do] as (given: Command) => void)(command);
  const run = (command: Command) => {
    // A held add keeps its quantity: a number typed afterwards does not change it.
    if (!held || command.do === "escape") perform(command);
  };
  useStationKeys({
    search: refs.search,
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
    accept: () => adding.acceptInto(true),
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

  return { run, searchBy, leave, goAway };
}

export const setCondition = (condition: "N" | "U") =>
  clientStore.set("itemBeingProcessed.condition", condition);

export const setQuantity = (key: string, quantity: number) =>
  sitting.setQuantity(key, quantity, Date.now());

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
