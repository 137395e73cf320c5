/** The commands of the keys, scans and buttons. */

import { useLocation, useNavigate } from "react-router-dom";
import { lockColor, type useSetDestinations } from "@/features/catalog/public";
import { type Bin, useBinScans } from "@/features/locations/public";
import { paths } from "@/shared/lib/paths";
import { stepped } from "@/shared/lib/stepped";
import { useStable } from "@/shared/lib/useStable";
import { useCards } from "@/shared/scanner/scans";
import { clientStore } from "@/shared/store/clientStore";
import { toast } from "@/shared/ui/toast";
import { aisleOf, giveTray } from "../bin/trays";
import { isBlank } from "../find/card";
import type { OnCard } from "../find/useCard";
import { nextLookup, type StationRecognition } from "../find/useRecognition";
import type { SearchType } from "../model";
import { counters, inBatch, lastRow } from "../session/session";
import { sitting } from "../session/sitting";
import { stopwatch } from "../session/stopwatch";
import { actOfCard, type CardAct } from "./cards";
import type { Command } from "./keys";
import { newestLookup, setLookupQuantity } from "./lookups";
import { sound } from "./sounds";
import type { Adding } from "./useAdding";
import { useStationKeys } from "./useStationKeys";

type Given = {
  adding: Adding;
  recognising: StationRecognition;
  setDestinations: ReturnType<typeof useSetDestinations>;
};

export function useStationCommands(onCard: OnCard, given: Given) {
  const { card, setOpened } = onCard;
  const { refs } = onCard.focus;
  const { adding, recognising } = given;

  const goAway = useLeave();
  /** Leaves the page; shows the totals of the session first if there are any. */
  const leave = useStable(() =>
    counters(sitting.store.getState()).pieces > 0 ? setOpened({ what: "summary" }) : goAway(),
  );
  const searchBy = useStable((type: SearchType) => {
    clientStore.set("itemBeingProcessed.searchType", type);
    refs.search.current?.focus();
    refs.search.current?.select();
  });
  const handlers: Handlers = {
    ...cardHandlers(onCard),
    ...rowHandlers(onCard),
    accept: adding.accept,
    take: adding.take,
    bulk: adding.countAsBulk,
    skip: adding.skip,
    escape: () => (isBlank(card) ? leave() : adding.clear()),
    searchBy: ({ type }) => searchBy(type),
    capture: () => {
      if (onCard.searchType !== "image") searchBy("image");
      else if (card.taken && card.seen && !recognising.awaitsSecond) recognising.awaitSecond();
      else recognising.camera.current?.capture();
    },
    holdCamera: () => recognising.camera.current?.holdOrResume(),
    nextLookup,
    putAside: () => {
      const { sets, putAside } = given.setDestinations;
      if (sets[0]) putAside(sets[0], card.quantity, adding.clear);
    },
  };
  // Each handler takes its own command; TypeScript cannot infer that from the key.
  const perform = (command: Command) => (handlers[command.do] as (given: Command) => void)(command);
  const run = (command: Command) => {
    // A held add keeps its quantity: a number typed afterwards does not change it.
    if (!adding.held || command.do === "escape") perform(command);
  };
  useStationKeys({
    search: refs.search,
    taken: card.taken,
    laterCandidate: card.candidate > 0,
    unchosen: card.seen !== null && !card.taken,
    covered: onCard.opened !== null,
    run,
    onKey: stopwatch.pressed,
  });
  useStationScans(onCard, adding, run);

  return { run, searchBy, leave, goAway };
}

type Handlers = { [Do in Command["do"]]: (command: Extract<Command, { do: Do }>) => void };

/** The commands that change the card, or open what belongs to it. */
function cardHandlers(onCard: OnCard) {
  const { card, dispatch, setOpened, openDialog, condition, locked } = onCard;
  const { matches, at, item, colors, color, focus } = onCard;
  const mark = (candidate: number) =>
    // What a picture shows is chosen by hand at once.
    dispatch({ type: card.taken || card.seen ? "taken" : "marked", candidate });
  const stepColor = (step: number) => {
    const at = colors.shown.findIndex((each) => each.colorId === color?.colorId);
    const from = at < 0 && step < 0 ? 0 : at;
    const next = colors.shown[stepped(from, step, colors.shown.length)];
    if (colors.state !== "ready") dispatch({ type: "colorStepped", step });
    else if (next) dispatch({ type: "colorChosen", colorId: next.colorId });
  };
  return {
    candidate: ({ index }) => {
      if (matches.items[index]) dispatch({ type: "taken", candidate: index });
    },
    moveCandidate: ({ step }) =>
      mark(stepped(at < 0 && step < 0 ? 0 : at, step, matches.items.length)),
    moveColor: ({ step }) => stepColor(step),
    toggleCondition: () => setCondition(condition === "N" ? "U" : "N"),
    digit: ({ digit }) => dispatch({ type: "digit", digit }),
    eraseDigit: () => dispatch({ type: "digitErased" }),
    chooseBin: () => item && openDialog({ what: "bins" }),
    chooseBatch: () => openDialog({ what: "batch" }),
    editPrice: () => focus.openField(focus.refs.priceField),
    filterColors: () => focus.openField(focus.refs.colorFilter),
    lockColor: () => lockColor(color && color.colorId !== locked ? color.colorId || null : null),
    toggleMode: () => clientStore.toggle("options.stowDirectly"),
    showKeys: () => setOpened({ what: "keys" }),
    showMinifigs: () => item?.item_type === "PART" && setOpened({ what: "minifigs" }),
    weigh: () => item && openDialog({ what: "weigh" }),
  } satisfies Partial<Handlers>;
}

/** The commands that change what was added last. */
function rowHandlers({ card, dispatch, batchId }: OnCard) {
  return {
    change: ({ by }) => {
      if (card.taken) return dispatch({ type: "quantitySet", quantity: card.quantity + by });
      const row = lastRow(inBatch(sitting.store.getState(), batchId));
      const lookup = newestLookup(row?.addedAt ?? 0);
      if (lookup) setLookupQuantity(lookup.key, lookup.quantity + by);
      else if (row) setQuantity(row.key, row.quantity + by);
    },
    undo: () => {
      stopwatch.undone();
      const lookup = newestLookup(lastRow(sitting.store.getState())?.addedAt ?? 0);
      if (lookup) setLookupQuantity(lookup.key, 0);
      else sitting.undo(Date.now());
    },
    redo: () => sitting.redo(Date.now()),
  } satisfies Partial<Handlers>;
}

/** The commands of scanned labels and cards. */
function useStationScans(onCard: OnCard, adding: Adding, run: (command: Command) => void): void {
  const { card, dispatch, opened, session, batches, bins } = onCard;
  const lastBin = () => (card.taken ? bins.bin : lastRow(session)?.bin);
  /** Changes the quantity of the card, or of the last row if the card is empty. */
  const setPieces = (quantity: number) => {
    if (card.taken) return dispatch({ type: "quantitySet", quantity });
    const row = lastRow(session);
    if (row) setQuantity(row.key, quantity);
  };
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
          return adding.clear();
        case "batch":
          return batches.choose(act.id);
        case "quantity":
          return setPieces(act.quantity);
        case "tray":
          return takeTray(act.tray, lastBin());
      }
    },
  });
}

function takeTray(tray: number, bin: Bin | null | undefined): void {
  if (!bin) {
    toast.info("Take a part first: the tray is for its bin");
    return;
  }
  giveTray(bin, tray);
  toast.success(`Tray ${tray} is for ${aisleOf(bin.name)} now`);
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
    return isFirst ? navigate(paths.home) : navigate(-1);
  };
}

/**
 * A bin's label scanned at the station means "here". For the item on the card, it adds and stows
 * the item if it is the bin on the screen; another bin is proposed instead, and a second scan
 * confirms it. Without an item, it confirms the bin of the last row.
 */
function useStowScans(station: {
  taken: boolean;
  bin: Bin | null;
  choose: (bin: Bin) => void;
  accept: () => void;
  /** A dialog is open over the station. */
  covered: boolean;
  onCard: (act: CardAct) => void;
}): void {
  useCards((card) => {
    const act = actOfCard(card);
    if (act && !station.covered) return station.onCard(act);
    // Trays with a letter hold orders; the page's frame opens them.
    if (!act && card.kind === "TRAY" && /^[A-Z]{1,2}$/.test(card.code)) return false;
    sound("wrongBin");
    toast.error(act ? "Close what is open first" : `The station has no card ${card.code}`);
  });
  const onBin = (scanned: Bin) => {
    if (station.taken) {
      if (station.bin?.id === scanned.id) return station.accept();
      station.choose(scanned);
      return another(station.bin, scanned);
    }
    const last = lastRow(sitting.store.getState());
    if (!last || last.known?.isStowed) return toast.info(`${scanned.name}: nothing to stow here`);
    if (last.bin?.id !== scanned.id) another(last.bin, scanned);
    if (last.bin?.id === scanned.id) sitting.stow(last.key);
    else sitting.setBin(last.key, scanned);
  };
  useBinScans(
    ({ id, name }) => onBin({ id, name }),
    (code) => {
      sound("wrongBin");
      toast.error(`No bin of yours has the code ${code}`);
    },
  );
}

function another(expected: Bin | null, scanned: Bin): void {
  if (!expected) return;
  sound("wrongBin");
  toast.info(`${expected.name} expected, ${scanned.name} scanned`, {
    detail: `It is ${scanned.name} now. Scan it again to stow there.`,
  });
}
