import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ItemNotFoundDialog } from "@/features/catalog/public";
import { LocationForm } from "@/features/locations/public";
import { useIsPhone } from "@/shared/table/useIsPhone";
import { preloadDialog } from "@/shared/ui/Dialog";
import { Loading, Notice } from "@/shared/ui/states";
import { AddsList } from "./AddsList";
import { BatchDialog } from "./BatchDialog";
import { BinBlock, BinName } from "./BinBlock";
import { BinDialog } from "./BinDialog";
import { PhoneBar } from "./CardActions";
import { FindPane } from "./FindPane";
import { FirstSteps } from "./FirstSteps";
import { ItemCard } from "./ItemCard";
import { KeySheet } from "./KeySheet";
import { LastAddedPanel } from "./LastAddedPanel";
import { pendingLookups, retryLookups, useLookups } from "./lookups";
import { NewBatchForm } from "./NewBatchForm";
import { OverrideDialog } from "./OverrideDialog";
import { OwnedList } from "./OwnedList";
import { preferencesQuery } from "./queries";
import { SessionCounters } from "./SessionCounters";
import { StowHeader, Unsent } from "./StowHeader";
import type { Outcome } from "./sender";
import { lastRow, pendingCount, shownRows, withBin } from "./session";
import { sitting } from "./sitting";
import { spokenCard, spokenOutcome } from "./spoken";
import { SHOWN_ROWS, useEarlierRows } from "./useEarlierRows";
import { type Station, setQuantity, useStation } from "./useStation";

/** The station: identify, choose the colour, see the bin, Enter. Full screen, outside the shell. */
export function StowPage() {
  const station = useStation();
  const { batches, session, item, bins, colors, card } = station;
  const { data: preferences } = useQuery(preferencesQuery());
  const currency = preferences?.currency;
  useEarlierRows(batches.batch);
  useUpkeep();
  const last = lastRow(session);
  const lookups = useLookups();
  const rows = shownRows(session, SHOWN_ROWS - lookups.length);
  const isPhone = useIsPhone();
  const needsBatch = !batches.batch && !batches.loading;

  return (
    <div className="flex min-h-dvh flex-col bg-canvas lg:h-dvh">
      <StowHeader station={station} />
      <main className="flex min-h-0 flex-1 flex-col lg:grid lg:grid-cols-[minmax(16rem,4fr)_minmax(21rem,6fr)_minmax(18rem,6fr)] lg:grid-rows-[minmax(0,1fr)_auto]">
        <div className="flex flex-col border-line max-lg:order-1 lg:min-h-0 lg:border-r">
          {needsBatch && (
            <section
              aria-label="Batch"
              className="m-4 mb-0 rounded-card border border-accent bg-surface p-4"
            >
              {batches.refusal && <Notice tone="warning">{batches.refusal}</Notice>}
              <NewBatchForm onCreated={batches.choose} />
            </section>
          )}
          <FindPane
            card={card}
            searchType={station.searchType}
            candidates={station.candidates}
            inputRef={station.refs.search}
            onType={(text) => station.dispatch({ type: "typed", text })}
            onEdit={() => station.dispatch({ type: "released" })}
            onTake={(candidate) => station.dispatch({ type: "taken", candidate })}
          />
        </div>
        <div
          ref={station.refs.cardBox}
          tabIndex={-1}
          className="flex flex-col p-4 outline-none max-lg:order-3 lg:min-h-0 lg:overflow-y-auto"
        >
          {item ? (
            <ItemCard station={station} item={item} currency={currency} isPhone={isPhone} />
          ) : card.taken ? (
            <Loading label={`Looking up ${card.text}…`} />
          ) : last || rows.length > 0 ? (
            <LastAdded station={station} />
          ) : (
            <FirstSteps />
          )}
        </div>
        <div className="flex flex-col gap-4 border-line bg-surface p-4 max-lg:order-2 max-lg:border-y lg:min-h-0 lg:overflow-y-auto lg:border-l">
          {item ? (
            <>
              <BinBlock
                bins={bins}
                quantity={card.quantity}
                hasLot={colors.state !== "ready" || colors.chosen?.lotId !== null}
                onChange={() => station.setOpened({ what: "bins" })}
                onNewBin={() => station.setOpened({ what: "newBin", name: "" })}
                onChoose={({ id, name }) => {
                  station.chooseBin({ id, name });
                  station.backToCard();
                }}
              />
              {!isPhone && <OwnedList owned={colors.owned} lotId={colors.chosen?.lotId ?? null} />}
            </>
          ) : (
            <LastBin station={station} />
          )}
        </div>
        <section
          aria-label="This sitting"
          className="flex flex-col border-line border-t bg-surface max-lg:order-4 lg:col-span-3 lg:max-h-[20rem] lg:min-h-0"
        >
          <div className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-4 py-2">
            <h2 className="font-semibold text-sm">Last added</h2>
            <span className="sm:hidden">
              <Unsent />
            </span>
            <SessionCounters session={session} currency={currency} />
          </div>
          <div className="lg:min-h-0 lg:overflow-y-auto">
            <AddsList
              rows={rows}
              lookups={lookups}
              onEdit={station.editLookup}
              currency={currency}
              onUndo={(row) => setQuantity(row.key, 0)}
              onRetry={(row) => sitting.retry(row.key)}
              onOverride={({ key }) => station.setOpened({ what: "override", key })}
              onOtherBin={({ key }) => station.setOpened({ what: "otherBin", key })}
            />
          </div>
        </section>
      </main>
      {isPhone && item && <PhoneBar station={station} />}
      <Spoken station={station} />
      <Dialogs station={station} />
    </div>
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

/** Where the last piece went stays in letters until the next one is there: it is in the hand. */
function LastBin({ station: { session } }: { station: Station }) {
  const last = lastRow(session);
  if (!last?.bin) {
    return <p className="text-muted">The bin of what you take appears here, in large letters.</p>;
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
  const { item, colors, bins, candidates, card } = station;
  const [outcome, setOutcome] = useState("");
  useEffect(() => sitting.onOutcome((each: Outcome) => setOutcome(spokenOutcome(each))), []);
  const steady = candidates.state === "settled" && colors.state === "ready" && bins.settled;
  const reason = bins.destination?.reason ?? "";
  const text = steady ? spokenCard({ item, color: colors.chosen, bin: bins.bin, reason }) : "";
  const none =
    candidates.state === "settled" && candidates.items.length === 0
      ? `Nothing matches ${card.text.trim()}.`
      : "";
  return (
    <div className="sr-only">
      <p role="status">{text || none}</p>
      <p role="status">{outcome}</p>
    </div>
  );
}

function Dialogs({ station }: { station: Station }) {
  const { opened, setOpened, batches, bins, session } = station;
  const close = () => setOpened(null);
  if (!opened) return null;
  const rowOf = (key: string) => session.rows.find((each) => each.key === key);
  switch (opened.what) {
    case "keys":
      return <KeySheet onClose={close} />;
    case "batch":
      return (
        <BatchDialog
          current={batches.batch?.id ?? null}
          onClose={close}
          onChoose={(id) => {
            batches.choose(id);
            close();
          }}
        />
      );
    case "bins":
      return (
        <BinDialog
          title="Another bin"
          alternatives={bins.alternatives}
          onClose={close}
          onChoose={({ id, name }) => station.chooseBin({ id, name })}
          onNewBin={(name) => setOpened({ what: "newBin", name })}
        />
      );
    case "newBin":
      return (
        <LocationForm
          name={opened.name}
          onClose={close}
          onSaved={({ id, name }) => station.chooseBin({ id, name })}
        />
      );
    case "notFound":
      return (
        <ItemNotFoundDialog
          search={opened.search}
          text={opened.text}
          onClose={close}
          onSearchBy={(type) => {
            close();
            station.searchBy(type);
          }}
          onPick={(picked) => {
            station.takeItem(picked);
            close();
          }}
        />
      );
    case "override":
    case "otherBin": {
      const row = rowOf(opened.key);
      if (!row) return null;
      const put = (bin: typeof row.bin, reason?: string) => {
        sitting.wish((now) => withBin(now, row.key, bin, reason));
        close();
      };
      return opened.what === "override" ? (
        <OverrideDialog
          row={row}
          onClose={close}
          onOverride={(reason) => put(row.bin, reason)}
          onOtherBin={() => setOpened({ what: "otherBin", key: row.key })}
        />
      ) : (
        <BinDialog
          title={`Another bin for ${row.quantity} × ${row.draft.itemNumber}`}
          alternatives={[]}
          onClose={close}
          onChoose={({ id, name }) => put({ id, name })}
          onNewBin={(name) => setOpened({ what: "newBinFor", key: row.key, name })}
        />
      );
    }
    case "newBinFor":
      return (
        <LocationForm
          name={opened.name}
          onClose={close}
          onSaved={({ id, name }) => {
            sitting.wish((now) => withBin(now, opened.key, { id, name }));
            close();
          }}
        />
      );
  }
}

/** What the page does without being seen: asks before unsent rows are lost, sends when it can. */
function useUpkeep(): void {
  const client = useQueryClient();
  useEffect(() => {
    preloadDialog();
    const onLeave = (event: BeforeUnloadEvent) => {
      const pending = pendingCount(sitting.store.getState()) + pendingLookups();
      if (pending > 0) event.preventDefault();
    };
    const onOnline = () => {
      sitting.sendNow();
      retryLookups(client);
    };
    window.addEventListener("online", onOnline);
    window.addEventListener("beforeunload", onLeave);
    const stop = sitting.onOutcome(({ did, row, problem }) => {
      if (problem) return;
      const stowed = did === "stow" || row.known?.isStowed || did === "remove";
      if (stowed) void client.invalidateQueries({ queryKey: ["inventory"] });
      for (const key of [
        ["batches", "list"],
        ["batches", "detail"],
        ["batchItems", "list"],
      ]) {
        void client.invalidateQueries({ queryKey: key });
      }
    });
    return () => {
      stop();
      window.removeEventListener("online", onOnline);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [client]);
}

/** The time, renewed each minute: for "5 minutes ago". */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
