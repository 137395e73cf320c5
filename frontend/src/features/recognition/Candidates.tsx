import { clsx } from "clsx";
import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from "react";
import { numberText } from "@/shared/lib/numbers";
import { parseWeight } from "@/shared/lib/weight";
import { KeyHint } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import { Spinner } from "@/shared/ui/Spinner";
import { useControl } from "@/shared/ui/useControl";
import { type Candidate, isKnown } from "./model";
import type { Beside, Recognition } from "./recognizer";
import { squareAround } from "./squareAround";

/** Who named it, and what looks the same from above: below a candidate's name. */
export function CandidateNote({ candidate }: { candidate: Candidate }) {
  const twins = candidate.twins.slice(0, 3);
  return (
    <>
      {/* A line of its own: the other recogniser's name joins it, and the rows stay in place. */}
      <span className="block truncate text-muted text-xs">by {candidate.provider}</span>
      {twins.length > 0 && (
        <span className="block text-muted text-xs">
          looks like {twins.join(", ")} from above: turn it
        </span>
      )}
    </>
  );
}

/** What became of the other recogniser, above what it names besides. */
export function OtherAnswer({ recognition }: { recognition: Recognition }) {
  if (recognition.state !== "found" || !recognition.other) return null;
  const { name, state, problem } = recognition.other;
  return (
    <p role="status" className="flex items-center gap-1.5 px-1 text-muted text-xs">
      {state === "asked" && <Spinner />}
      {state === "asked" && `${name} is asked, too…`}
      {state === "failed" && `${name} did not answer: ${problem}`}
      {state === "answered" &&
        (recognition.later.length > 0 ? `${name} also names` : `${name} found nothing else`)}
    </p>
  );
}

/** The piece that was looked at, cut out of its picture so that it can be compared. */
export function SeenPiece(props: {
  /** The address of the picture. */
  picture: string;
  /** Left, top, width and height of the piece, as shares of the picture; null: all of it. */
  outline: readonly number[] | null;
  className: string;
}) {
  const image = useRef<HTMLImageElement>(null);
  const { outline } = props;
  const place = useCallback(() => {
    const node = image.current;
    if (!node) return;
    // The Content-Security-Policy allows no style attribute.
    Object.assign(node.style, squareAround(outline, node.naturalWidth, node.naturalHeight));
  }, [outline]);
  useLayoutEffect(place, [place]);
  return (
    <span className={clsx("relative block shrink-0 overflow-hidden", props.className)}>
      <img
        ref={image}
        src={props.picture}
        alt="What the camera saw"
        onLoad={place}
        className="absolute max-w-none"
      />
    </span>
  );
}

/** The picture with an outline around each piece; one is chosen by a tap or by its button. */
export function Pieces(props: {
  /** The address of the picture. */
  picture: string;
  candidates: readonly Candidate[];
  chosen: number;
  onChoose: (piece: number) => void;
}) {
  const { picture, candidates, chosen, onChoose } = props;
  const pieces = piecesOf(candidates);
  return (
    <div className="relative mx-auto w-fit overflow-hidden rounded-card border border-line">
      <img
        src={picture}
        alt="The pieces that were found"
        className="block max-h-[45dvh] max-w-full"
      />
      {pieces.map(({ piece, outline, first }) => (
        <button
          key={piece}
          type="button"
          aria-pressed={piece === chosen}
          aria-label={`Piece ${piece + 1}: ${isKnown(first) ? first.item_name : first.item_number}`}
          onClick={() => onChoose(piece)}
          ref={(node) => {
            // The Content-Security-Policy allows no style attribute.
            if (!node) return;
            const [left, top, width, height] = outline.map((share) => `${share * 100}%`);
            Object.assign(node.style, { left, top, width, height });
          }}
          className={
            piece === chosen
              ? "absolute rounded-control border-2 border-accent bg-accent-tint/20"
              : "absolute rounded-control border-2 border-line-strong hover:border-accent"
          }
        />
      ))}
    </div>
  );
}

/** The pieces in a picture, each with its position and its best match. */
export function piecesOf(
  candidates: readonly Candidate[],
): { piece: number; outline: readonly number[]; first: Candidate }[] {
  const found = new Map<number, Candidate>();
  for (const candidate of candidates) {
    if (!found.has(candidate.piece)) found.set(candidate.piece, candidate);
  }
  return [...found].flatMap(([piece, first]) =>
    first.outline ? [{ piece, outline: first.outline, first }] : [],
  );
}

/** Which parts were looked at, where a set's list narrows them, with the way to the others. */
export function AmongParts(props: { beside: Beside; onAll: (all: boolean) => void }) {
  const { among, amongAll = false } = props.beside;
  if (!among) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <span className="text-muted">{amongAll ? "Among all parts" : `Among the ${among.text}`}</span>
      <Button size="sm" onClick={() => props.onAll(!amongAll)}>
        {amongAll ? `Only the ${among.text}` : "Look at all parts"}
      </Button>
    </p>
  );
}

/** What else helps to know a part: its weight on a scale, and another side of it. */
export function MoreHelp(props: {
  beside: Beside;
  /** Asks again with what the scale says. */
  onGrams: (grams: number) => void;
  awaitsSecond: boolean;
  /** The next picture is of the same part. */
  onSecond: () => void;
}) {
  const { beside, onGrams, onSecond, awaitsSecond } = props;
  const typed = useControl(numberText(beside.grams));
  const read = parseWeight(typed.value);
  const grams = Number(read);
  const unreadable = read !== null && !(grams > 0 && grams <= MOST_GRAMS);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (read !== null && !unreadable) onGrams(grams);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <InputField
        label="Grams"
        hideLabel
        error={unreadable && `Grams, such as ${numberText(2.3)}`}
        className="w-24"
        numeric
        inputMode="decimal"
        placeholder="Grams"
        title="What it weighs on a scale, then Enter"
        {...typed}
        onKeyDown={onKeyDown}
      />
      {awaitsSecond ? (
        <p role="status" className="font-medium text-accent-ink text-sm">
          Turn the part: the next picture is of the same one.
        </p>
      ) : (
        <Button size="sm" title="A second picture of the same part" onClick={onSecond}>
          Another side
          <KeyHint>Space</KeyHint>
        </Button>
      )}
      {beside.second && <span className="text-muted text-xs">from two pictures</span>}
    </div>
  );
}

const MOST_GRAMS = 100_000;

/** None of them: what was seen is left, and number and name take over. */
export function NoneOfThese({ onNone }: { onNone: () => void }) {
  const [said, setSaid] = useState(false);
  if (said) return null;
  return (
    <Button
      size="sm"
      variant="ghost"
      className="self-start"
      onClick={() => {
        setSaid(true);
        onNone();
      }}
    >
      None of these
    </Button>
  );
}
