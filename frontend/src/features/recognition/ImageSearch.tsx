import { Flag } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { ItemType } from "@/shared/lib/itemTypes";
import { clientStore } from "@/shared/store/clientStore";
import { Button } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { TypeTag } from "@/shared/ui/TypeTag";
import { CameraPane } from "./CameraPane";
import {
  AmongParts,
  CandidateNote,
  NoneOfThese,
  OtherAnswer,
  Pieces,
  piecesOf,
} from "./Candidates";
import { keepCapture } from "./captures";
import { identifyPieces } from "./identify";
import { type Candidate, isKnown, type LookupType, type Source } from "./model";
import { type Among, type Asked, seenOf } from "./recognizer";
import { usePictureUrl, useRecognizer } from "./useRecognizer";
import { reportWrongMatch } from "./wrongMatch";

/** Search by picture: the camera, and what it sees, best first. */
export function ImageSearch(props: {
  onPick: (item: { type: ItemType; number: string }) => void;
  /** Nothing was seen, or only what the catalogue does not have: then its number. */
  onMissed: (source: Source, text: string) => void;
  onSearchBy: (search: "number" | "name") => void;
  /** The type to look for; it overrides the option. */
  lookup?: LookupType;
  /** The camera waits until the person switches it on. */
  onRequest?: boolean;
  /** The parts that come first; null: any part. */
  among?: Among | null;
}) {
  const { onPick, onMissed, onSearchBy } = props;
  const [recognition, recognizer] = useRecognizer(identifyPieces);
  const found = recognition.state === "found" ? recognition.candidates : [];
  const later = recognition.state === "found" ? recognition.later : [];
  const pieces = piecesOf(found);
  const [piece, setPiece] = useState(0);
  const picture = usePictureUrl(recognition.state === "found" ? recognition.picture : null);
  const candidates = pieces.length > 1 ? found.filter((each) => each.piece === piece) : found;
  const missed = useEffectEvent(() => {
    if (recognition.state === "none") onMissed(recognition.source, "");
    else if (recognition.state === "found" && !seenOf(recognition).some(isKnown)) {
      const [first] = recognition.candidates;
      onMissed(recognition.source, first?.presence === "PART" ? first.item_number : "");
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is reported once
  useEffect(missed, [recognition]);

  const identify = (picture: Blob, asked: Omit<Asked, "lookup">) => {
    setPiece(0);
    const lookup = props.lookup ?? clientStore.get("options.lookupType");
    recognizer.identify(picture, { lookup, ...asked });
  };
  const pick = (candidate: Candidate) => {
    if (isKnown(candidate)) keepCapture(candidates, candidate.item_id, null);
    onPick({ type: candidate.item_type, number: candidate.item_number });
  };

  return (
    <div className="flex flex-col gap-3">
      <CameraPane
        recognition={recognition}
        paused={false}
        onRequest={props.onRequest}
        onPicture={(taken, source, now) => {
          identify(taken, { source, now, beside: { among: props.among ?? undefined } });
        }}
        onLifted={() => {
          if (recognition.state !== "found") recognizer.cancel();
        }}
        onSearchBy={onSearchBy}
      />
      {picture && (
        <Pieces picture={picture} candidates={found} chosen={piece} onChoose={setPiece} />
      )}
      {candidates.length > 0 && (
        <CandidateList label="Seen on the picture" candidates={candidates} onPick={pick} />
      )}
      {recognition.state === "found" && (
        <AmongParts
          beside={recognition.beside}
          onAll={(amongAll) => {
            const { picture: shown, source, askedAt: now, beside } = recognition;
            identify(shown, { source, now, beside: { ...beside, amongAll } });
          }}
        />
      )}
      {candidates[0] && (
        <NoneOfThese
          key={candidates[0].capture}
          onNone={() => {
            recognizer.cancel();
            onSearchBy("name");
          }}
        />
      )}
      {candidates[0] && (
        <WrongMatch
          key={`${recognition.state === "found" && recognition.askedAt} ${piece}`}
          seen={candidates[0]}
        />
      )}
      {/* Below all that can be pressed: what comes late moves nothing. */}
      {piece === 0 && <OtherAnswer recognition={recognition} />}
      {piece === 0 && later.length > 0 && (
        <CandidateList label="Named besides" candidates={later} onPick={pick} />
      )}
    </div>
  );
}

function WrongMatch({ seen }: { seen: Candidate }) {
  const [said, setSaid] = useState(false);
  if (said) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="self-start"
      icon={<Flag aria-hidden="true" className="size-3.5" />}
      once
      onClick={() => {
        setSaid(true);
        void reportWrongMatch(seen, null);
      }}
    >
      Report a wrong match
    </Button>
  );
}

function CandidateList(props: {
  label: string;
  candidates: readonly Candidate[];
  onPick: (candidate: Candidate) => void;
}) {
  const { label, candidates, onPick } = props;
  return (
    <ul aria-label={label} className="flex flex-col gap-1">
      {candidates.map((candidate) => (
        <li key={`${candidate.piece} ${candidate.item_type} ${candidate.item_number}`}>
          <CandidateLine candidate={candidate} onPick={() => onPick(candidate)} />
        </li>
      ))}
    </ul>
  );
}

function CandidateLine(props: { candidate: Candidate; onPick: () => void }) {
  const { candidate, onPick } = props;
  const { item_number: number, item_type: type, item_name: name, score } = candidate;
  const facts = (
    <>
      <ItemImage src={candidate.image_url} type={type} name={name} size="md" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center gap-2">
          <span className="truncate font-semibold tabular-nums">{number}</span>
          <TypeTag type={type} short />
        </span>
        <span className="truncate text-sm">{name}</span>
        <span className="truncate text-muted text-xs">
          {isKnown(candidate) ? candidate.category : "not in your catalogue"}
        </span>
        <CandidateNote candidate={candidate} />
      </span>
      <span className="shrink-0 font-semibold text-sm tabular-nums">
        <span className="sr-only">Score </span>
        {Math.round(score * 100)} %
      </span>
    </>
  );
  const line =
    "flex w-full items-center gap-3 rounded-card border border-line px-2.5 py-2 text-left";
  if (!isKnown(candidate)) return <div className={`${line} text-muted`}>{facts}</div>;
  return (
    <button type="button" onClick={onPick} className={`${line} bg-surface hover:bg-hover`}>
      {facts}
    </button>
  );
}
