import { useState } from "react";
import { Button } from "@/shared/ui/Button";
import { type Candidate, isKnown } from "./model";

/** Who named it, and what looks the same from above: below a candidate's name. */
export function CandidateNote({ candidate }: { candidate: Candidate }) {
  const twins = candidate.twins.slice(0, 3);
  return (
    <span className="truncate text-muted text-xs">
      {[
        `by ${candidate.provider}`,
        twins.length > 0 && `looks like ${twins.join(", ")} from above: turn it`,
      ]
        .filter(Boolean)
        .join(" · ")}
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
    <div className="relative w-full overflow-hidden rounded-card border border-line">
      <img src={picture} alt="The pieces that were found" className="block w-full" />
      {pieces.map(({ piece, outline, first }) => (
        <button
          key={piece}
          type="button"
          aria-pressed={piece === chosen}
          aria-label={`Piece ${piece + 1}: ${isKnown(first) ? first.item_name : first.item_number}`}
          onClick={() => onChoose(piece)}
          ref={(node) => {
            // The page's policy lets no style stand in the markup.
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

/** The pieces of a picture, each with where it lies and what it most likely is. */
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
