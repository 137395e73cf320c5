import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Box, Check } from "lucide-react";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { wholeOf, whyNotWhole } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import type { Outcome } from "@/shared/outbox/outbox";
import { outbox, useWaiting, waitingOf } from "@/shared/outbox/theOutbox";
import type { Unsent } from "@/shared/outbox/unsent";
import { namesBin } from "@/shared/scanner/codes";
import { useScanner } from "@/shared/scanner/scans";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Field, Input } from "@/shared/ui/Field";
import { lateFocus } from "@/shared/ui/lateFocus";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import { useWay } from "@/shared/walk/useWay";
import {
  BinName,
  LOT_LIST,
  pictureSize,
  WalkFoot,
  WalkHead,
  WalkLot,
  WalkProgress,
  WalkRows,
  WalkScreen,
  WalkStop,
} from "@/shared/walk/WalkFrame";
import { type OrderState, type ShortReason, type Stop, shortReasons } from "../model";
import { undoPick, useEndWalk, useRefreshOrders } from "../mutations";
import { PapersMenu } from "../Papers";
import { orderQueries } from "../queries";
import { useOrdersPath, useShowOrders } from "../useOrdersPath";
import { type Answered, PICKS, pickOf, putPicks } from "./picks";
import { type BinStop, byBin, keepWalk, keptWalk } from "./stops";

/** What was picked of a row, line by line; a row that is not named was picked whole. */
type Picked = ReadonlyMap<number, ReadonlyMap<number, number>>;
/** How many pieces remain in the bin of a row that lacks some. */
type Left = ReadonlyMap<number, number>;
type OnPick = (reason?: ShortReason, picked?: Picked, left?: Left) => void;

/**
 * One way past the bins for several orders: a scan or a key for each bin. What is picked is kept
 * here until it is stored, and so are the stops: a walk continues after a reload without the server
 * and on another device.
 */
export function PickWalk({ id }: { id: number }) {
  const { query, bins, total, isPassed, waiting } = useBins(id);
  const way = useWay(bins, ({ key }) => key);
  const path = useOrdersPath();
  const { current, next } = way;
  const [wrong, setWrong] = useState<string | null>(null);
  const toCount = usePickAnswers(id);

  const pick = (bin: BinStop, ...[reason, picked, left]: Parameters<OnPick>) => {
    setWrong(null);
    way.choose(null);
    putPicks(
      id,
      picksOf(bin, reason, picked, left),
      bin.name || bin.rows[0]?.item_number || "No bin",
    ).catch(tellFailure);
  };
  const scan = (text: string) => {
    if (!text.trim() || !current) return;
    if (namesBin(text, current)) pick(current);
    else setWrong(text.trim());
  };
  useScanner(scan);
  const elsewhere = wrong === null ? undefined : bins.find((bin) => namesBin(wrong, bin));

  return (
    <>
      <WalkScreen>
        <WalkHead to={path()} back="Orders" title="Pick walk">
          {current && `Bin ${formatCount(total - bins.length + 1)} of ${formatCount(total)}`}
        </WalkHead>
        {current && <WalkProgress label="Bins picked" done={total - bins.length} total={total} />}
        {waiting.length > 0 && (
          <Notice tone="info" title={`${counted(waiting.length, "row")} not stored yet`}>
            Continue picking: they are kept here and sent when the server answers.
          </Notice>
        )}
        {wrong !== null && current && (
          <Notice
            tone="danger"
            title={`Wrong bin: ${current.name || "none"} expected, ${wrong} scanned`}
            actions={
              elsewhere && (
                <Button
                  size="sm"
                  onClick={() => {
                    way.choose(elsewhere);
                    setWrong(null);
                  }}
                >
                  Pick {elsewhere.name} now
                </Button>
              )
            }
          >
            Nothing was taken.
          </Notice>
        )}
        {query.isPending ? (
          <Loading />
        ) : query.error && bins.length === 0 && !isPassed ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : current ? (
          <CurrentBin
            key={current.key}
            bin={current}
            next={next}
            onPick={(...what) => pick(current, ...what)}
            onLater={() => way.putOff(current)}
            onScan={scan}
          />
        ) : (
          <Picked id={id} isStored={waiting.length === 0} toCount={toCount} />
        )}
      </WalkScreen>
      <footer className="mx-auto flex max-w-3xl flex-wrap items-center gap-2 pt-6 pb-6">
        <PapersMenu walk={id} />
        {current && <EndWalk id={id} />}
      </footer>
    </>
  );
}

/** The bins that are left. They are kept in this browser, and `total` is how many there were. */
function useBins(id: number) {
  const [kept] = useState(() => keptWalk(id));
  const query = useQuery({
    ...orderQueries.stops(id),
    initialData: kept && [...kept.stops],
    initialDataUpdatedAt: 0,
  });
  const waiting = useWaiting(PICKS).filter((one) => pickOf(one).walk === id);
  // A row whose pick is on its way is passed already.
  const passed = new Set(waiting.map((one) => pickOf(one).item));
  const bins = byBin((query.data ?? []).filter((stop) => !passed.has(stop.item_id)));
  const [most, setMost] = useState(kept?.bins ?? 0);
  const { data } = query;
  useEffect(() => {
    if (!data) return;
    const count = Math.max(keptWalk(id)?.bins ?? 0, byBin(data).length);
    keepWalk({ id, stops: data, bins: count });
    setMost(count);
  }, [id, data]);
  const total = Math.max(most, bins.length);
  return { bins, total, isPassed: passed.size > 0, waiting, query };
}

/** Takes the answers to picks over, and says what came of each bin. Returns the bins to count. */
function usePickAnswers(id: number) {
  const client = useQueryClient();
  const refresh = useRefreshOrders();
  const answers = useRef(new Map<string, Answered[]>());
  const [toCount, setToCount] = useState<ReadonlyMap<number, string>>(new Map());
  const { queryKey } = orderQueries.stops(id);
  const again = () => invalidate(client, queryKey);
  // Until the stops are read again a stored row must not come back, nor by an answer on its way.
  const leaveOut = (item: number) => {
    const stops = client.getQueryData(queryKey);
    if (!stops) return;
    void client.cancelQueries({ queryKey });
    client.setQueryData(
      queryKey,
      stops.filter(({ item_id }) => item_id !== item),
    );
  };
  const tell = (name: string, all: readonly Answered[]) => {
    const { words, isShort } = toldOf(all);
    const taking = {
      movement_ids: all.flatMap((answer) => answer.movement_ids),
      uncounted: all.flatMap((answer) => answer.uncounted),
      dropped: all.flatMap((answer) => answer.dropped),
      short_lines: all.flatMap((answer) => answer.short_lines),
    };
    const isUndoable = Object.values(taking).some((each) => each.length > 0);
    const undo = () =>
      undoPick(id, taking).then(() => {
        setToCount((bins) => new Map([...bins].filter(([, bin]) => bin !== name)));
        refresh();
        void again();
      }, tellFailure);
    toast[isShort ? "info" : "success"](`${name}: ${words}`, {
      id: "pick",
      ...(isUndoable && { action: { label: "Undo", run: undo } }),
    });
  };
  const hear = useEffectEvent(({ request, data }: Outcome) => {
    const pick = pickOf(request);
    if (pick.walk !== id) return;
    const [answer] = (data ?? []) as Answered[]; // of this path
    if (answer) {
      const all = [...(answers.current.get(pick.stop) ?? []), answer];
      answers.current.set(pick.stop, all);
      leaveOut(pick.item);
      const bin = answer.count_location_id;
      if (bin !== null) setToCount((bins) => new Map(bins).set(bin, pick.name));
      tell(pick.name, all);
      if (answer.is_over) refresh();
    }
    const isOfStop = (one: Unsent) => one.key !== request.key && pickOf(one).stop === pick.stop;
    if (!waitingOf(PICKS).some(isOfStop)) void again();
  });
  useEffect(() => outbox.onOutcome(PICKS, (outcome) => hear(outcome)), []);
  return toCount;
}

/** What came of a bin, over all of its rows. */
function toldOf(all: readonly Answered[]) {
  const sum = (what: "taken" | "already" | "elsewhere" | "short") =>
    all.reduce((pieces, answer) => pieces + answer[what], 0);
  const [taken, already, short] = [sum("taken"), sum("already"), sum("short")];
  const elsewhere = sum("elsewhere");
  const parts = [
    taken > 0 && `${counted(taken, "piece")} taken`,
    already > 0 && `${formatCount(already)} already taken by another person`,
    elsewhere > 0 && `${formatCount(elsewhere)} to take from another bin`,
    short > 0 && `${formatCount(short)} missing`,
  ];
  return {
    words: parts.filter(Boolean).join(", ") || "nothing taken",
    isShort: short > 0 || already > 0,
  };
}

/** What is sent of a bin: how many were taken of each line, and the reason where it lacks some. */
function picksOf(bin: BinStop, ...[reason, picked, left]: Parameters<OnPick>) {
  return bin.rows.map((row) => {
    const lines = row.trays.map(({ line_id, quantity }) => ({
      line_id,
      quantity: picked?.get(row.item_id)?.get(line_id) ?? quantity,
    }));
    const isShort = row.trays.some(({ quantity }, at) => (lines[at]?.quantity ?? 0) < quantity);
    const inBin = left?.get(row.item_id);
    return {
      ...{ item_id: row.item_id, lines },
      ...(reason && isShort && { reason, ...(inBin !== undefined && { left: inBin }) }),
    };
  });
}

function EndWalk({ id }: { id: number }) {
  const show = useShowOrders();
  const end = useEndWalk();
  return (
    <Button
      variant="ghost"
      loading={end.isPending}
      onClick={() => end.mutate(id, { onSuccess: () => show() })}
    >
      End the walk
    </Button>
  );
}

function CurrentBin(props: {
  bin: BinStop;
  next: BinStop | null;
  onPick: OnPick;
  onLater: () => void;
  onScan: (text: string) => void;
}) {
  const { bin, next, onPick, onLater, onScan } = props;
  const [isShort, setShort] = useState(false);
  const [hasOrders, setOrders] = useState(false);
  const place = bin.name || "No bin";
  return (
    <WalkStop name={place}>
      <BinName>{place}</BinName>
      <p className="flex justify-between gap-2 py-2">
        <span>Take {counted(bin.pieces, "piece")}</span>
        <span className="text-muted text-sm">
          {bin.pieces === 1 ? "Put it in tray" : "Put them in tray"}
        </span>
      </p>
      <WalkRows label={`What to take from ${place}`}>
        <ul aria-label="Lots" className={LOT_LIST}>
          {bin.rows.map((row) => (
            <LotRow
              key={row.item_id}
              row={row}
              withOrders={hasOrders}
              size={pictureSize(bin.rows.length)}
            />
          ))}
        </ul>
        {isShort && <NotAll bin={bin} onPick={onPick} onBack={() => setShort(false)} />}
      </WalkRows>
      {!isShort && (
        <>
          <div data-foot="" className="flex flex-wrap justify-between gap-x-4 gap-y-1 pt-1">
            <Button variant="ghost" size="sm" onClick={() => setShort(true)}>
              Some are missing
            </Button>
            <Button
              variant="ghost"
              size="sm"
              aria-expanded={hasOrders}
              onClick={() => setOrders(!hasOrders)}
            >
              {hasOrders ? "Hide the orders" : "Show the orders"}
            </Button>
            <Button
              variant="ghost"
              size="sm"
              disabledReason={!next && "It is the last one"}
              onClick={onLater}
            >
              Later
            </Button>
          </div>
          <WalkFoot
            label={
              bin.pieces === 1
                ? "It is in its tray"
                : `All ${formatCount(bin.pieces)} are in their trays`
            }
            onConfirm={() => onPick()}
            next={
              next ? (
                <>
                  Next is{" "}
                  <strong className="whitespace-nowrap text-ink">
                    {next.name || "a lot in no bin"}
                  </strong>
                </>
              ) : (
                "This is the last bin"
              )
            }
            onScan={onScan}
          />
        </>
      )}
    </WalkStop>
  );
}

function LotRow(props: { row: Stop; withOrders: boolean; size: ReturnType<typeof pictureSize> }) {
  const { row, withOrders, size } = props;
  return (
    <li>
      <WalkLot
        lot={row}
        name={row.item_name}
        size={size}
        more={`, ${formatCount(row.in_bin)} in the bin`}
      >
        <ul aria-label={`Trays of ${row.item_number}`} className="flex flex-col gap-1.5">
          {row.trays.map((tray) => (
            <li key={tray.line_id} className="flex items-center justify-end gap-2">
              {withOrders && (
                <span className="wrap-anywhere text-muted text-sm">{tray.order_number}</span>
              )}
              <span className="font-bold text-4xl tabular-nums">{formatCount(tray.quantity)}</span>
              <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-ink font-bold text-2xl text-canvas">
                {tray.tray}
              </span>
            </li>
          ))}
        </ul>
      </WalkLot>
    </li>
  );
}

/** How many there are, lot by lot and tray by tray, and why not all. The server looks in other bins. */
function NotAll(props: { bin: BinStop; onPick: OnPick; onBack: () => void }) {
  const { bin, onPick, onBack } = props;
  const [taken, setTaken] = useState<ReadonlyMap<number, string>>(new Map());
  const [leftTexts, setLeftTexts] = useState<ReadonlyMap<number, string>>(new Map());
  const parts = bin.rows.flatMap((row) => row.trays.map((tray) => ({ row, tray })));
  const textOf = (line: number, quantity: number) => taken.get(line) ?? String(quantity);
  const texts = parts.map(({ tray }) => textOf(tray.line_id, tray.quantity));
  const counts = texts.map(wholeOf);
  const isGood = parts.every(
    ({ tray }, place) => whyNotWhole(texts[place] ?? "", 0, tray.quantity) === null,
  );
  const isLess = parts.some(({ tray }, place) => (counts[place] ?? 0) < tray.quantity);
  const picked = useMemo(() => {
    const found = new Map<number, Map<number, number>>();
    parts.forEach(({ row, tray }, place) => {
      const lines = found.get(row.item_id) ?? new Map<number, number>();
      found.set(row.item_id, lines.set(tray.line_id, counts[place] ?? 0));
    });
    return found;
  }, [parts, counts]);
  const short = bin.rows.filter((row) =>
    row.trays.some(
      ({ line_id, quantity }) => (picked.get(row.item_id)?.get(line_id) ?? 0) < quantity,
    ),
  );
  const leftOf = (row: Stop) => leftTexts.get(row.item_id)?.trim() ?? "";
  const said = short.filter((row) => leftOf(row) !== "");
  const isLeftGood = said.every((row) => whyNotWhole(leftOf(row), 0, row.in_bin) === null);
  const left = new Map(said.map((row) => [row.item_id, wholeOf(leftOf(row))]));
  return (
    <div className="mt-3 flex flex-col gap-3">
      <p className="font-medium">How many did you take?</p>
      {parts.map(({ row, tray }) => (
        <Field
          key={tray.line_id}
          label={`${row.item_name || row.item_number} ${row.color_name} into ${tray.tray}, of ${formatCount(tray.quantity)}`}
        >
          <Input
            value={textOf(tray.line_id, tray.quantity)}
            inputMode="numeric"
            className="w-24"
            onFocus={(event) => event.target.select()}
            onChange={(event) =>
              setTaken((now) => new Map(now).set(tray.line_id, event.target.value))
            }
          />
        </Field>
      ))}
      {isLess &&
        isGood &&
        short.map((row) => (
          <Field
            key={row.item_id}
            label={`How many of ${row.item_name || row.item_number} ${row.color_name} are left in the bin?`}
            hint="Left empty: none. Where pieces are damaged, the others stay."
          >
            <Input
              value={leftOf(row)}
              inputMode="numeric"
              className="w-24"
              onFocus={(event) => event.target.select()}
              onChange={(event) =>
                setLeftTexts((now) => new Map(now).set(row.item_id, event.target.value))
              }
            />
          </Field>
        ))}
      <Others bin={bin} />
      <p className="text-muted text-sm">
        The rest is taken from your other bins where they have it; pieces found nowhere are marked
        missing. The stock of this bin is corrected. Why are they not here?
      </p>
      <div className="flex flex-wrap gap-2">
        {shortReasons.map(({ value, label }) => (
          <Button
            key={value}
            size="lg"
            once
            disabledReason={
              (!isGood && "As many as needed, or fewer") ||
              (!isLess && "Enter how many you took: now it is all of them") ||
              (!isLeftGood && "Enter how many are left in the bin")
            }
            onClick={() => onPick(value, picked, left)}
          >
            {label}
          </Button>
        ))}
        <Button size="lg" variant="ghost" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

/** The other bins that have free pieces of what is short here. */
function Others({ bin }: { bin: BinStop }) {
  const rows = bin.rows.filter(({ others }) => others.length > 0);
  if (rows.length === 0) return null;
  return (
    <ul aria-label="Other bins" className="text-sm">
      {rows.map((row) => (
        <li key={row.item_id} className="wrap-anywhere">
          {row.item_name || row.item_number} {row.color_name} is also in{" "}
          {row.others
            .map(({ location_name, free }) => `${location_name || "no bin"} (${formatCount(free)})`)
            .join(", ")}
        </li>
      ))}
    </ul>
  );
}

/** Why a tray cannot be packed after the walk; "" where it can or was. */
function whyNotPacked({ state }: { state: OrderState }): string {
  if (state === "cancelled") return "was cancelled: its pieces go back";
  return state === "picked" || state === "packed" || state === "shipped" || state === "done"
    ? ""
    : "lacks pieces";
}

/** After the last bin: the orders with their trays, and the way to pack the first. */
function Picked(props: { id: number; isStored: boolean; toCount: ReadonlyMap<number, string> }) {
  const { id, isStored, toCount } = props;
  const data = useSideQuery(
    { ...orderQueries.walkOrders(id), enabled: isStored },
    "the orders of the walk",
  );
  const show = useShowOrders();
  const path = useOrdersPath();
  const picked = data?.filter(({ state }) => state === "picked") ?? [];
  const waiting = data?.filter((order) => whyNotPacked(order) !== "") ?? [];
  const first = picked[0];
  return (
    <>
      <EmptyState
        icon={Check}
        title={waiting.length > 0 ? "The walk is done" : "Everything is picked"}
        actions={
          first ? (
            <Button
              // The next key leads on.
              ref={lateFocus}
              variant="primary"
              size="lg"
              icon={Box}
              onClick={() => show({ order: first.order_id })}
            >
              Pack {first.number}, tray {first.tray}
            </Button>
          ) : (
            <ButtonLink to={path()} variant="primary">
              To the orders
            </ButtonLink>
          )
        }
      />
      {toCount.size > 0 && (
        <Notice
          tone="info"
          title={`Pieces were missing in ${counted(toCount.size, "bin")}`}
          actions={[...toCount].map(([bin, name]) => (
            <ButtonLink key={bin} size="sm" to={pathTo("inventory", { walk: "count", bin })}>
              Count {name}
            </ButtonLink>
          ))}
        >
          A count shows whether more is wrong there.
        </Notice>
      )}
      {Object.entries({ "Orders to pack": picked.slice(1), "Orders that wait": waiting }).map(
        ([label, orders]) =>
          orders.length > 0 && (
            <ul key={label} aria-label={label} className="flex flex-col gap-1">
              {orders.map((order) => (
                <li key={order.order_id}>
                  <ButtonLink variant="ghost" to={path({ order: order.order_id })}>
                    Tray {order.tray}: {order.number} {whyNotPacked(order)}
                  </ButtonLink>
                </li>
              ))}
            </ul>
          ),
      )}
    </>
  );
}
