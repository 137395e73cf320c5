import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { followJob } from "@/features/jobs/public";
import { useBinOf } from "@/features/locations/public";
import { counted } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { rowsWith } from "@/shared/lib/records";
import { invalidate } from "@/shared/lib/tags";
import { outbox, sendKept, useWaiting } from "@/shared/outbox/theOutbox";
import { namesBin } from "@/shared/scanner/codes";
import { clientStore } from "@/shared/store/clientStore";
import { tellFailure } from "@/shared/ui/tellFailure";
import { useWay } from "@/shared/walk/useWay";
import type { Acted, BatchItem, FailedItem } from "../model";
import { STALE, useAct, useRefresh } from "../mutations";
import { type OperationResult, readRefusal, resultWords, weightWords } from "../operations";
import { batchItemQueries } from "../queries";
import { useTellDone } from "../useTellDone";
import { type Stop, stopsOf } from "./stops";

const STOWS = "stows";
const NOTHING_EXPECTED = "All bins are done: nothing was stowed";

type Place = { id: number; name: string };

/** What the walk has to say about the last scan or stow. */
export type Said =
  | { kind: "wrong"; expected: Stop; scanned: Place; later: Stop | null }
  | { kind: "unknown"; code: string }
  | { kind: "full"; place: string; moved: { item: string; to: string }[]; left: FailedItem[] }
  | { kind: "done"; text: string }
  | { kind: "idle"; text: string };

/** A code that was scanned while the lots of a bin were being stowed. */
type Heard = { text: string; during: number };

/** What the server proposed for items: those with another bin, and those without one. */
const fullOf = (place: string, acted: Acted, failed: FailedItem[]): Said => ({
  kind: "full",
  place,
  moved: acted.rows.map(({ name, after }) => ({ item: name, to: String(after) })),
  left: failed,
});

/** A walk from bin to bin: where it is, and what scans and keys do. All progress is stored. */
export function useWalk(batchId: number) {
  const client = useQueryClient();
  const query = useQuery(batchItemQueries.walk(batchId));
  const [said, setSaid] = useState<Said | null>(null);
  const act = useAct(batchId);
  const again = () => invalidate(client, batchItemQueries.walk(batchId).queryKey);

  /** Plans other bins for what a full one refused. */
  const moveOn = async (place: string, failed: FailedItem[]) => {
    const acted = await act.mutateAsync({
      verb: "recommendLocations",
      body: { items: failed.map(({ id }) => id), replace: true },
    });
    const placed = new Set(acted.rows.map(({ id }) => id));
    setSaid(
      fullOf(
        place,
        acted,
        failed.filter(({ id }) => !placed.has(id)),
      ),
    );
  };
  const { stowing, ...stower } = useStopStow(batchId, moveOn, again);
  const { left, waiting } = useLeft(batchId, query.data, stowing?.items ?? []);
  const { stops, homeless } = stopsOf(left);
  const way = useWay(stops, ({ locationId }) => locationId);
  const { current } = way;
  const busy = stowing !== null || act.isPending;
  const stow = async (stop: Stop, elsewhere?: Place) => {
    if (busy) return;
    setSaid(null);
    await stower.stow(stop, elsewhere);
  };
  const scan = useScans({
    ...{ busy, stops, current, stow, setSaid },
    stowing: stowing?.into ?? null,
    isRead: query.data !== undefined,
  });

  const planHomeless = async (items: readonly BatchItem[]) => {
    try {
      const acted = await act.mutateAsync({
        verb: "recommendLocations",
        body: { items: items.map(({ id }) => id) },
      });
      const isShort = acted.failed_count > 0;
      setSaid(isShort ? fullOf("", acted, acted.failed) : { kind: "done", text: acted.note });
      await again();
    } catch (error) {
      tellFailure(error);
    }
  };
  return {
    query,
    /** Lots that are put away here, which the server does not know yet. */
    waiting,
    ...{ stops, homeless, current, said, busy, stow, planHomeless, again },
    next: way.next,
    scan,
    clear: () => setSaid(null),
    skip: () => {
      if (!current) return;
      setSaid(null);
      way.putOff(current);
    },
    /** Goes to a stop out of turn; afterwards the walk continues where it was. */
    goTo: (stop: Stop) => {
      setSaid(null);
      way.choose(stop);
    },
  };
}

/** The lots that are left, without those whose stow is on its way or kept here. */
function useLeft(
  batchId: number,
  items: readonly BatchItem[] | undefined,
  /** What is being stowed: also after a refusal, until the lots are read again. */
  stowing: readonly number[],
) {
  const client = useQueryClient();
  const { queryKey } = batchItemQueries.walk(batchId);
  // Until the lots are read again a stowed one must not come back.
  useEffect(
    () =>
      outbox.onOutcome(STOWS, ({ data }) => {
        const done = new Set(rowsWith<OperationResult>(data, "items").flatMap((one) => one.items));
        client.setQueryData(queryKey, (all) => all?.filter(({ id }) => !done.has(id)));
      }),
    [client, queryKey],
  );
  const away = useWaiting(STOWS).flatMap(({ about }) => about as number[]); // as sent below
  const gone = new Set([...away, ...stowing]);
  const left = (items ?? []).filter(({ id }) => !gone.has(id));
  return { left, waiting: (items?.length ?? 0) - left.length };
}

/** Stows what is planned for a stop, there or in another place; what has no room moves on. */
function useStopStow(
  batchId: number,
  moveOn: (place: string, failed: FailedItem[]) => Promise<void>,
  again: () => Promise<void>,
) {
  const [stowing, setStowing] = useState<{ into: number; items: number[] } | null>(null);
  const refresh = useRefresh();
  const tellDone = useTellDone(batchId);
  const send = async (stop: Stop, into: Place): Promise<OperationResult | null> => {
    const items = stop.items.map(({ id }) => id);
    const list = clientStore.get("options.listWithStow");
    // The person's present stop, even if items were planned elsewhere meanwhile.
    const body = { items, location_id: into.id, atomic: false, ...(list && { list }) };
    try {
      return await sendKept(
        "post",
        "batches/{id}/stow",
        { path: { id: batchId }, body },
        {
          kind: STOWS,
          rows: [`batch ${batchId}`, ...items.map((id) => `batch item ${id}`)],
          words: `Stow ${counted(stop.pieces, "piece")} in ${into.name}`,
          to: pathTo("batches", { batch: batchId, walk: 1 }),
          stale: STALE.stock,
          about: items,
        },
      );
    } catch (error) {
      const refusal = readRefusal(error);
      if (!refusal) throw error;
      return refusal;
    }
  };
  const stow = async (stop: Stop, elsewhere?: Place) => {
    const into = elsewhere ?? { id: stop.locationId, name: stop.name };
    setStowing({ into: into.id, items: stop.items.map(({ id }) => id) });
    try {
      const result = await send(stop, into);
      if (!result) return setStowing(null); // kept, and told of by the outbox
      if (result.listing_job_id) followJob(result.listing_job_id);
      const count = result.items.length;
      if (count > 0) {
        await tellDone({
          kind: "stow",
          words: `${resultWords("stow", count, 0)} in ${into.name}`,
          id: "walk",
          detail: weightWords(result),
          count,
          actIds: result.act_id ? [result.act_id] : [],
        });
      }
      if (result.failed.length > 0) await moveOn(into.name, result.failed);
    } catch (error) {
      tellFailure(error);
    }
    await again(); // also where the bin was deleted elsewhere: its items have no plan then
    refresh.stock();
    setStowing(null);
  };
  return { stow, stowing };
}

/**
 * A scanned or typed code: the bin of this stop stows, any other is refused. One that comes while
 * another is being stowed waits for it.
 */
function useScans(walk: {
  stowing: number | null;
  busy: boolean;
  stops: readonly Stop[];
  current: Stop | null;
  isRead: boolean;
  stow: (stop: Stop) => Promise<void>;
  setSaid: (said: Said) => void;
}) {
  const { stowing, busy, stops, current, stow, setSaid } = walk;
  const binOf = useBinOf((code) => setSaid({ kind: "unknown", code }));
  const [heard, setHeard] = useState<Heard | null>(null);

  const scan = async (text: string, during: number | null = null) => {
    if (text.trim() === "") return;
    if (busy) {
      if (stowing !== null) setHeard({ text, during: stowing });
      return;
    }
    if (!current) {
      if (walk.isRead) setSaid({ kind: "idle", text: NOTHING_EXPECTED });
      return;
    }
    const named = stops.find((stop) => namesBin(text, stop));
    const place = named ? { id: named.locationId, name: named.name } : await binOf(text);
    if (!place) return;
    if (place.id === current.locationId) return stow(current);
    const { id } = place;
    if (id === during) return; // the label that was just stowed, scanned twice
    const later = stops.find(({ locationId }) => locationId === id) ?? null;
    setSaid({ kind: "wrong", expected: current, scanned: place, later });
  };
  const scanHeard = useEffectEvent(({ text, during }: Heard) => {
    setHeard(null);
    void scan(text, during);
  });
  useEffect(() => {
    if (heard && !busy) scanHeard(heard);
  }, [heard, busy]);
  return (text: string) => scan(text);
}
