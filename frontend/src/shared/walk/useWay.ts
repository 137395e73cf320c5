import { useState } from "react";

type Key = string | number;

/** The stop where a walk is, and the next: in order, but for those that are put off or chosen. */
export function useWay<Stop>(stops: readonly Stop[], keyOf: (stop: Stop) => Key) {
  const [putOff, setPutOff] = useState<readonly Key[]>([]);
  const [chosen, setChosen] = useState<Key | null>(null);
  const first = (some: readonly Stop[]) => firstOf(some, putOff, keyOf);
  const current = stops.find((stop) => keyOf(stop) === chosen) ?? first(stops);
  return {
    current,
    next: first(stops.filter((stop) => stop !== current)),
    choose: (stop: Stop | null) => setChosen(stop && keyOf(stop)),
    putOff: (stop: Stop) => {
      setChosen(null);
      setPutOff((keys) => [...keys.filter((key) => key !== keyOf(stop)), keyOf(stop)]);
    },
  };
}

/** The first stop that was not put off; those that were come last, in the order of putting off. */
export function firstOf<Stop>(
  stops: readonly Stop[],
  putOff: readonly Key[],
  keyOf: (stop: Stop) => Key,
): Stop | null {
  const placeOf = (stop: Stop) => putOff.indexOf(keyOf(stop));
  return stops.toSorted((a, b) => placeOf(a) - placeOf(b))[0] ?? null;
}
