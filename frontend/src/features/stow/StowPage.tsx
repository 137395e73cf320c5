import { clsx } from "clsx";
import { useEffect, useState } from "react";
import type { CatalogItem } from "@/features/catalog/public";
import { useCurrency } from "@/features/profile/public";
import { AmongParts, MoreHelp } from "@/features/recognition/public";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { useClientState } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { Strips } from "@/shared/ui/Strips";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { type Lookup, newestLookup, useLookups } from "./add/lookups";
import { BinBlock, BinName, FirstBin } from "./bin/BinBlock";
import { trayOf, useGivenTrays } from "./bin/trays";
import { askedText, isBlank, searchText } from "./find/card";
import { FindPane } from "./find/FindPane";
import { FirstSteps } from "./find/FirstSteps";
import { PhoneBar } from "./part/CardActions";
import { ColorQuestion } from "./part/ColorQuestion";
import { ItemCard, ItemHead } from "./part/ItemCard";
import { OwnedList } from "./part/OwnedList";
import { SetDestinationList } from "./part/SetDestinationList";
import { CameraPane, FigureList } from "./parts";
import { StationDialogs } from "./StationDialogs";
import { LastAddedPanel, LookedUpPanel } from "./session/LastAddedPanel";
import { NewBatchForm } from "./session/NewBatchForm";
import { StowHeader } from "./session/StowHeader";
import type { Outcome } from "./session/sender";
import { lastRow, shownRows } from "./session/session";
import { sitting } from "./session/sitting";
import { spokenCard, spokenOutcome } from "./session/spoken";
import { ThisSession } from "./session/ThisSession";
import { SHOWN_ROWS, useEarlierRows } from "./session/useEarlierRows";
import { useUpkeep } from "./session/useUpkeep";
import { type Station, useStation } from "./useStation";

/** The station: identify, choose the colour, see the bin, Enter. Full screen, without the shell. */
export function StowPage() {
  const station = useStation();
  const { batches, session, item } = station;
  const currency = useCurrency();
  useEarlierRows(batches.batch);
  useUpkeep();
  const last = lastRow(session);
  const lookups = useLookups();
  const ahead = newestLookup(last?.addedAt ?? 0, lookups);
  const rows = shownRows(session, Math.max(1, SHOWN_ROWS - lookups.length));
  const isPhone = useIsPhone();
  const needsBatch = !batches.batch && !batches.loading;
  const blank = isBlank(station.card);
  const asks = station.colors.asks !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins at the top of a phone
  useEffect(() => {
    if (isPhone) window.scrollTo({ top: 0 });
  }, [isPhone, blank, station.card.taken, asks]);

  return (
    <div className="flex min-h-dvh flex-col bg-canvas lg:h-dvh">
      <StowHeader
        batch={batches.batch?.name ?? null}
        isLoading={batches.loading}
        onOpen={station.setOpened}
        onLeave={station.leave}
        onDone={station.backToCard}
      />
      <Strips />
      <main
        // The bin has half of the width, the camera a fifth, the part the rest.
        className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(15rem,4fr)_minmax(19rem,6fr)_minmax(0,10fr)] lg:grid-rows-[minmax(0,1fr)_auto]"
      >
        <div className="flex flex-col border-line max-lg:order-1 lg:min-h-0 lg:border-r">
          <Find station={station} />
        </div>
        <div
          ref={station.refs.cardBox}
          tabIndex={-1}
          className="relative flex flex-col p-4 outline-none max-lg:order-3 lg:min-h-0 lg:overflow-y-auto"
        >
          <OnCard station={station} ahead={ahead} hasAdded={rows.length > 0} currency={currency} />
        </div>
        <div className="relative flex flex-col gap-4 border-line bg-surface p-4 short:gap-2 short:py-2 max-sm:gap-2 max-sm:py-3 max-lg:order-2 max-lg:border-y lg:min-h-0 lg:overflow-y-auto lg:border-l">
          {needsBatch && <BatchFirst station={station} />}
          {item ? (
            <BinOfPart station={station} item={item} />
          ) : needsBatch ? (
            !isPhone && station.first.firstBin && <FirstBin name={station.first.firstBin} />
          ) : (
            <LastBin station={station} ahead={ahead} />
          )}
        </div>
        <ThisSession station={station} rows={rows} lookups={lookups} currency={currency} />
      </main>
      {isPhone && item && <PhoneBar station={station} />}
      <Spoken station={station} />
      <StationDialogs station={station} currency={currency} />
    </div>
  );
}

/** What is looked for: by a picture, a number or a name. */
function Find({ station }: { station: Station }) {
  const { card, recognising } = station;
  const { recognition } = recognising;
  return (
    <FindPane
      card={card}
      searchType={station.searchType}
      onSearchBy={station.searchBy}
      matches={station.matches}
      at={station.at}
      inputRef={station.refs.search}
      unknown={station.recognising.unknown}
      recognition={recognition}
      onNone={station.noneOfThese}
      help={
        recognition.state === "found" && (
          <>
            <AmongParts
              beside={recognition.beside}
              onAll={(amongAll) => {
                station.recognising.askAgain({ amongAll });
                station.backToCard();
              }}
            />
            <MoreHelp
              key={recognition.askedAt}
              beside={recognition.beside}
              awaitsSecond={station.recognising.awaitsSecond}
              onSecond={() => {
                station.recognising.awaitSecond();
                station.backToCard();
              }}
              onGrams={(grams) => {
                station.recognising.askAgain({ grams });
                station.backToCard();
              }}
            />
          </>
        )
      }
      left={station.left}
      onKeepOfLeft={station.keepOfLeft}
      camera={
        <CameraPane
          recognition={station.recognising.recognition}
          paused={station.isBusy() || station.skipping.settling !== null}
          controls={station.recognising.camera}
          onPicture={station.takePicture}
          onTaking={station.takingPicture}
          onLifted={station.partLifted}
          onSearchBy={station.searchBy}
          onChosen={station.backToCard}
          strip={!isBlank(card) && (card.taken || card.seen === null)}
        />
      }
      onType={(text) => station.dispatch({ type: "typed", text })}
      onEdit={() => station.dispatch({ type: "released" })}
      onTake={(candidate) => station.dispatch({ type: "taken", candidate })}
    />
  );
}

/** The part on the card, or what was added last. */
function OnCard(props: {
  station: Station;
  ahead: Lookup | null;
  hasAdded: boolean;
  currency: string | undefined;
}) {
  const { station, ahead, hasAdded, currency } = props;
  const { card, item } = station;
  const isPhone = useIsPhone();
  // Earlier rows of the batch may be another browser's: how it goes is not known here.
  const isFirst = useClientState("lastBatchItemAdded") === null;
  return (
    <>
      {station.skipping.settling && (
        <Settling
          photo={station.skipping.settling.image_url}
          onCancel={() => station.skipping.settle(null)}
        />
      )}
      {item ? (
        <ItemCard station={station} item={item} currency={currency} isPhone={isPhone} />
      ) : card.taken ? (
        <Loading label={`Looking up ${searchText(card)}…`} />
      ) : ahead ? (
        <LookedUpPanel
          lookup={ahead}
          onChange={(by) => station.run({ do: "change", by })}
          onUndo={() => station.run({ do: "undo" })}
        />
      ) : !isFirst && (hasAdded || lastRow(station.session)) ? (
        <LastAdded station={station} />
      ) : (
        <FirstSteps />
      )}
    </>
  );
}

/** Asks for a batch where there is none yet. */
function BatchFirst({ station: { item, batches, first } }: { station: Station }) {
  return (
    <section
      aria-label="Batch"
      className={clsx(
        "max-w-xl rounded-card border border-line bg-surface p-4",
        // On a phone the part, its bin and the button have the screen.
        item &&
          first.name.trim() !== "" &&
          !batches.error &&
          !batches.refusal &&
          !first.error &&
          "max-sm:hidden",
      )}
    >
      {batches.error ? (
        <ErrorState
          title="Your batches could not be read"
          error={batches.error}
          onRetry={batches.tryAgain}
        />
      ) : (
        <>
          {batches.refusal && <Notice tone="warning">{batches.refusal}</Notice>}
          <NewBatchForm first={first} />
        </>
      )}
    </section>
  );
}

/** Where the part on the card goes, and what else is known of it. */
function BinOfPart({ station, item }: { station: Station; item: CatalogItem }) {
  const { card, bins, colors } = station;
  const isPhone = useIsPhone();
  const trays = useGivenTrays();
  const showsFigures = useClientState("options.completeMinifigs");
  return (
    <>
      {isPhone && <ItemHead station={station} item={item} />}
      {colors.asks === null ? (
        <>
          <BinBlock
            bins={bins}
            quantity={card.quantity}
            grams={item.weight ? Number(item.weight) : null}
            tray={station.direct ? null : trayOf(station.wholeSession, bins.bin, trays)}
            firstBin={station.first.firstBin}
            hasLot={colors.state !== "ready" || colors.chosen?.lotId !== null}
            onChange={() => station.setOpened({ what: "bins" })}
            onNewBin={() => station.setOpened({ what: "newBin", name: "" })}
            onChoose={({ id, name }) => {
              station.chooseBin({ id, name });
              station.backToCard();
            }}
          />
          <SetDestinationList
            destinations={station.setDestinations}
            onPutAside={() => station.run({ do: "putAside" })}
          />
          {showsFigures && item.item_type === "PART" && (
            <FigureList
              part={item}
              colorId={colors.chosen?.colorId ?? null}
              onOpen={(figure) =>
                station.setOpened({ what: "minifigs", ...(figure && { figure }) })
              }
            />
          )}
          {!isPhone && <OwnedList owned={colors.owned} lotId={colors.chosen?.lotId ?? null} />}
        </>
      ) : (
        <ColorQuestion station={station} item={item} />
      )}
    </>
  );
}

/** Names the skipped piece that the next item replaces. */
function Settling({ photo, onCancel }: { photo: string; onCancel: () => void }) {
  return (
    <section
      aria-label="Skipped piece"
      className="mb-3 flex items-center gap-3 rounded-card border border-accent bg-accent-tint p-2"
    >
      <img src={photo} alt="" className="size-16 shrink-0 rounded-control object-cover" />
      <p className="min-w-0 flex-1">The next item that you add replaces this skipped piece.</p>
      <Button size="sm" onClick={onCancel}>
        Leave it skipped
      </Button>
    </section>
  );
}

function LastAdded({ station }: { station: Station }) {
  const { session, run } = station;
  return (
    <LastAddedPanel
      row={lastRow(session)}
      now={useMinutes()}
      onChange={(by) => run({ do: "change", by })}
      onUndo={() => run({ do: "undo" })}
    />
  );
}

/** The bin of the last piece stays visible until the next item: the piece is still in the hand. */
function LastBin({ station: { session }, ahead }: { station: Station; ahead: Lookup | null }) {
  const last = lastRow(session);
  if (ahead) {
    return <p className="text-muted">The bin of {askedText(ahead.ask.card)} is not known yet.</p>;
  }
  if (!last?.bin) {
    return (
      <p className="text-muted lg:m-auto lg:max-w-md lg:text-center lg:text-2xl">
        The bin of the part you choose appears here, in large letters.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <h2 className="font-medium text-muted text-sm">
        {last.quantity} × {last.draft.itemNumber} {last.draft.colorName}{" "}
        {last.known?.isStowed ? "stowed in" : "goes to"}
      </h2>
      <BinName name={last.bin.name} quiet />
    </div>
  );
}

function Spoken({ station }: { station: Station }) {
  const { item, colors, bins, matches, card } = station;
  const [outcome, setOutcome] = useState("");
  useEffect(() => sitting.onOutcome((each: Outcome) => setOutcome(spokenOutcome(each))), []);
  const steady = matches.state === "settled" && colors.state === "ready" && bins.settled;
  const reason = bins.destination?.reason ?? "";
  const { bin, split } = bins;
  const text = steady
    ? spokenCard({ item, color: colors.chosen, asks: colors.asks !== null, bin, split, reason })
    : "";
  const none =
    matches.state === "settled" && matches.items.length === 0
      ? `Nothing matches ${searchText(card)}.`
      : "";
  return (
    <div className="sr-only">
      <p role="status">{text || none}</p>
      <p role="status">{outcome}</p>
    </div>
  );
}

/** The time, updated each minute: for "5 minutes ago". */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
