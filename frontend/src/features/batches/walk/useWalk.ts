import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { locationQueries } from "@/features/locations/public";
import { invalidate } from "@/shared/lib/tags";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { BatchItem, FailedItem } from "../model";
import { useAct, useOperation } from "../mutations";
import { resultWords, weightWords } from "../operations";
import { batchItemQueries } from "../queries";
import { useTellDone } from "../useTellDone";
import { codeOf, currentOf, type Stop, stopNamed, stopsOf } from "./stops";

const NOTHING_EXPECTED = "No bin is expected: nothing was stowed";

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

/** A walk from bin to bin: where it is, and what scans and keys do. All progress is stored. */
export function useWalk(batchId: number) {
  const client = useQueryClient();
  const query = useQuery(batchItemQueries.walk(batchId));
  const [putOff, setPutOff] = useState<number[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const [stowing, setStowing] = useState<number | null>(null);
  const [heard, setHeard] = useState<Heard | null>(null);
  const operate = useOperation(batchId);
  const act = useAct(batchId);
  const tellDone = useTellDone(batchId);
  const { stops, homeless } = stopsOf(query.data ?? []);
  const current = stops.find((stop) => stop.locationId === chosen) ?? currentOf(stops, putOff);
  const next = currentOf(
    stops.filter((stop) => stop !== current),
    putOff,
  );
  const busy = stowing !== null || operate.isPending || act.isPending;
  const fail = (error: unknown) => {
    tellFailure(error);
  };
  const again = () => invalidate(client, batchItemQueries.walk(batchId).queryKey);

  /** Stows what is planned for a stop, there or in another place; what has no room moves on. */
  const stow = async (stop: Stop, elsewhere?: Place) => {
    if (busy) return;
    setSaid(null);
    setStowing(elsewhere?.id ?? stop.locationId);
    const ids = stop.items.map(({ id }) => id);
    try {
      const result = await operate.mutateAsync({
        kind: "stow",
        items: ids,
        // The person's present stop, even if items were planned elsewhere meanwhile.
        location_id: elsewhere?.id ?? stop.locationId,
        atomic: false,
      });
      if (result.items.length > 0) {
        const into = elsewhere?.name ?? stop.name;
        await tellDone({
          kind: "stow",
          words: `${resultWords("stow", result.items.length, 0)} in ${into}`,
          id: "walk",
          detail: weightWords(result),
          count: result.items.length,
          actIds: result.act_id ? [result.act_id] : [],
        });
      }
      if (result.failed.length > 0) await moveOn(elsewhere?.name ?? stop.name, result.failed);
    } catch (error) {
      fail(error);
    }
    await again(); // also where the bin was deleted elsewhere: its items have no plan then
    setStowing(null);
  };

  /** Plans other bins for what a full one refused. */
  const moveOn = async (place: string, failed: FailedItem[]) => {
    const acted = await act.mutateAsync({
      verb: "recommendLocations",
      body: { items: failed.map(({ id }) => id), replace: true },
    });
    const moved = acted.rows.map(({ name, after }) => ({ item: name, to: String(after) }));
    const placed = new Set(acted.rows.map(({ id }) => id));
    setSaid({ kind: "full", place, moved, left: failed.filter(({ id }) => !placed.has(id)) });
  };

  /**
   * A scanned or typed code: the bin of this stop stows, any other is refused. One that comes
   * while another is being stowed waits for it; `during` says which.
   */
  const scan = async (text: string, during: number | null = null) => {
    if (text.trim() === "") return;
    if (busy) {
      if (stowing !== null) setHeard({ text, during: stowing });
      return;
    }
    if (!current) {
      if (query.data) setSaid({ kind: "idle", text: NOTHING_EXPECTED });
      return;
    }
    const code = codeOf(text);
    const named = stopNamed(stops, code);
    let place: Place | null = named ? { id: named.locationId, name: named.name } : null;
    try {
      place ??= await client.fetchQuery(locationQueries.scanned(code));
    } catch (error) {
      fail(error);
      return;
    }
    if (!place) {
      setSaid({ kind: "unknown", code });
      return;
    }
    if (place.id === current.locationId) {
      await stow(current);
      return;
    }
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

  const skip = () => {
    if (!current) return;
    setSaid(null);
    setChosen(null);
    setPutOff((ids) => [...ids.filter((id) => id !== current.locationId), current.locationId]);
  };

  /** Goes to a stop out of turn; afterwards the walk continues where it was. */
  const goTo = (stop: Stop) => {
    setSaid(null);
    setChosen(stop.locationId);
  };

  const planHomeless = async (items: readonly BatchItem[]) => {
    try {
      const acted = await act.mutateAsync({
        verb: "recommendLocations",
        body: { items: items.map(({ id }) => id) },
      });
      setSaid(
        acted.failed_count > 0
          ? {
              kind: "full",
              place: "",
              moved: acted.rows.map(({ name, after }) => ({ item: name, to: String(after) })),
              left: acted.failed,
            }
          : { kind: "done", text: acted.note },
      );
      await again();
    } catch (error) {
      fail(error);
    }
  };

  return {
    query,
    stops,
    homeless,
    current,
    next,
    said,
    busy,
    clear: () => setSaid(null),
    stow,
    scan,
    skip,
    goTo,
    planHomeless,
    again,
  };
}
