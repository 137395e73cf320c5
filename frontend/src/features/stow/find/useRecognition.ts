import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { type CatalogItem, lockedColor } from "@/features/catalog/public";
import {
  type Among,
  type Beside,
  type CameraControls,
  type Candidate,
  isKnown,
  type KnownCandidate,
  likelyColor,
  lookupTypes,
  presenceOf,
  type Recognition,
  type Source,
  seenOf,
  useRecognizer,
} from "@/features/recognition/public";
import { clientStore } from "@/shared/store/clientStore";

/** The result of a picture, for the card. */
export type Seen =
  | {
      what: "items";
      items: readonly CatalogItem[];
      capturedAt: number;
      /** Whether a part is seen: without one, none is chosen. */
      isPart: boolean;
      /** From two pictures of the part. */
      isSecond: boolean;
      /** The likely lots of the first three: their bins are fetched ahead. */
      lotIds: readonly number[];
    }
  /** A later answer: the same items in their places, and new ones behind them. */
  | { what: "more"; items: readonly CatalogItem[] }
  /** No result, or only items that the catalogue lacks (of a part, `text` is the first one's number). */
  | { what: "nothing"; source: Source; text: string };

export type StationRecognition = {
  recognition: Recognition;
  camera: RefObject<CameraControls | null>;
  /** Recognised, but not in the catalogue. */
  unknown: readonly Candidate[];
  onPicture: (picture: Blob, source: Source, takenAt: number) => void;
  /** The next picture shows the part that is on the card, lying otherwise. */
  awaitsSecond: boolean;
  awaitSecond: () => void;
  /** Asks again about what is on the card, with more that is known. */
  askAgain: (more: Beside) => void;
  /** The part was lifted: what is asked about it is over. */
  onLifted: () => void;
  forget: () => void;
};

/**
 * Pictures at the station. `isBusy`: the person has continued by hand since it was
 * taken. Its result is then discarded, since typing never waits for a picture.
 */
export function useRecognition(options: {
  /** The parts that the batch can hold. */
  among: Among | null;
  isBusy: () => boolean;
  onSeen: (seen: Seen) => void;
}): StationRecognition {
  const [recognition, recognizer] = useRecognizer();
  const camera = useRef<CameraControls>(null);
  const [awaitsSecond, setAwaitsSecond] = useState(false);
  const lookup = () => clientStore.get("options.lookupType");

  const tell = useEffectEvent((settled: Recognition) => {
    if (settled.state === "idle" || settled.state === "asking") return;
    const seen = seenOf(settled);
    const known = seen.filter(isKnown);
    if (settled.state === "found" && settled.isMore) {
      return options.onSeen({ what: "more", items: known.map(itemOf) });
    }
    if (options.isBusy()) return recognizer.cancel();
    if (settled.state === "failed") return;
    const isPart = presenceOf(seen) === "PART";
    if (known.length > 0 && settled.state === "found") {
      const capturedAt = settled.askedAt;
      const lotIds = known.slice(0, PREFETCHED).flatMap((each) => likelyLot(each) ?? []);
      const isSecond = settled.beside.second !== undefined;
      const items = known.map(itemOf);
      options.onSeen({ what: "items", items, isPart, capturedAt, isSecond, lotIds });
    } else {
      const text = (isPart && seen[0]?.item_number) || "";
      options.onSeen({ what: "nothing", source: settled.source, text });
    }
  });
  useEffect(() => tell(recognition), [recognition]);

  return {
    recognition,
    camera,
    unknown: seenOf(recognition).filter((each) => !isKnown(each)),
    awaitsSecond,
    awaitSecond: () => setAwaitsSecond(true),
    onPicture: (picture, source, now) => {
      setAwaitsSecond(false);
      const before = awaitsSecond && recognition.state === "found" ? recognition : null;
      const among = options.among ?? undefined;
      const beside = before ? { ...before.beside, second: picture } : { among };
      const shown = before ? before.picture : picture;
      recognizer.identify(shown, { lookup: lookup(), source, now, beside });
    },
    askAgain: (more) => {
      if (recognition.state !== "found") return;
      const { picture, source, askedAt: now, beside } = recognition;
      recognizer.identify(picture, {
        lookup: lookup(),
        source,
        now,
        beside: { ...beside, ...more },
      });
    },
    onLifted: () => {
      if (recognition.state !== "found") recognizer.cancel();
    },
    forget: () => {
      setAwaitsSecond(false);
      recognizer.cancel();
    },
  };
}

const PREFETCHED = 3;

function likelyLot(candidate: KnownCandidate): number | null {
  const color = lockedColor() ?? likelyColor(candidate);
  return candidate.lots.find(({ color_id }) => color_id === color)?.id ?? null;
}

/** The next lookup type, wrapping around. */
export function nextLookup(): void {
  const types = lookupTypes.map(({ value }) => value);
  const at = types.indexOf(clientStore.get("options.lookupType"));
  clientStore.set("options.lookupType", types[(at + 1) % types.length] ?? "PART");
}

const itemOf = (candidate: KnownCandidate): CatalogItem => ({
  id: candidate.item_id,
  item_number: candidate.item_number,
  item_name: candidate.item_name,
  item_type: candidate.item_type,
  category: candidate.category,
  weight: candidate.weight,
  image_url: candidate.image_url,
  score: candidate.score,
  color_id: likelyColor(candidate),
  external_sites: candidate.external_sites,
  lots: candidate.lots,
});
