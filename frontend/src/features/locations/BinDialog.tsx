import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { Kbd } from "@/shared/ui/Badge";
import { PlainButton } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { PickList } from "@/shared/ui/PickList";
import { Notice } from "@/shared/ui/states";
import { BinFit, BinTree } from "./BinTree";
import type { Pieces } from "./binFit";
import type { Bin, Destination, Location } from "./model";
import { locationQueries } from "./queries";
import { useBinScans } from "./useBinOf";

/** The keys of the first three alternatives, in their order on a number pad. */
const KEYS = ["7", "8", "9"];

type Choice = { location: Location } | { create: string };

/** The server's maximum for one list. With more bins, they are shown by shelf. */
const LISTED = 20;

/**
 * Chooses another bin: 7 8 9 take the next best ones, typing searches all bins, a scanned label
 * chooses its bin, and the shelves can be opened. The dialog itself has the focus at first; in the
 * field, 7 8 9 are part of a name.
 */
export function BinDialog(props: BinChoicesProps & { title: string; onClose: () => void }) {
  const { title, onClose, ...choices } = props;
  return (
    <Dialog open onClose={onClose} title={title}>
      <BinChoices {...choices} />
    </Dialog>
  );
}

type BinChoicesProps = {
  /** The pieces to stow. */
  pieces: Pieces;
  alternatives: readonly Destination[];
  onChoose: (bin: Bin) => void;
  onNewBin: (name: string) => void;
};

/** A component of its own, so that its first effect runs after rendering: dialogs load lazily. */
function BinChoices({ pieces, alternatives, onChoose, onNewBin }: BinChoicesProps) {
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const { data = [], isFetching, error } = useQuery(locationQueries.pick(search));
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const [unknown, setUnknown] = useState<string | null>(null);
  useBinScans(
    ({ id, name }) => onChoose({ id, name }),
    (code) => setUnknown(`No bin of yours has the code ${code}.`),
  );

  const typed = text.trim();
  const settled = typed === search && !isFetching;
  const isNew =
    typed !== "" &&
    settled &&
    !error &&
    !data.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const byShelf = typed === "" && search === "" && data.length >= LISTED;
  const found: Choice[] = byShelf ? [] : data.map((location) => ({ location }));

  const onKeyDown = (event: Press | KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.altKey || event.metaKey) return;
    const alternative = alternatives[KEYS.indexOf(event.key)];
    if (alternative) {
      event.preventDefault();
      onChoose(alternative);
    } else if (event.key === "/" || event.key === "ArrowDown") {
      event.preventDefault();
      input.current?.focus();
    } else if (event.key.length === 1 && event.key !== " ") input.current?.focus();
  };
  useWaitingKeys(onKeyDown);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only has the keys of its buttons
    <div ref={box} tabIndex={-1} onKeyDown={onKeyDown} className="flex flex-col gap-4 outline-none">
      {alternatives.length > 0 && (
        <ol aria-label="Next best" className="flex flex-col gap-1">
          {alternatives.map((destination, index) => (
            <li key={destination.id}>
              <PlainButton
                onClick={() => onChoose(destination)}
                className="flex w-full items-center gap-3 rounded-control border border-line px-3 py-2 text-left hover:bg-hover"
              >
                <Kbd>{KEYS[index]}</Kbd>
                <span className="font-bold text-lg">{destination.name}</span>
                <span className="min-w-0 flex-1 truncate text-muted text-sm">
                  {destination.reason}
                </span>
              </PlainButton>
            </li>
          ))}
        </ol>
      )}
      {error && <Notice tone="danger">{problemText(error)}</Notice>}
      {unknown && <Notice tone="warning">{unknown} Scan another label, or choose below.</Notice>}
      <PickList
        label="All bins"
        hint={
          alternatives.length > 0
            ? "Type to search, or scan a label; press / first if the name begins with 7, 8 or 9."
            : "Type to search, or scan a label."
        }
        beside={<ScanButton iconOnly label="Scan the bin with the camera" />}
        placeholder="Type a name"
        inputRef={input}
        text={text}
        onText={setText}
        options={isNew ? [...found, { create: typed }] : found}
        getKey={(choice) => ("location" in choice ? choice.location.id : "create")}
        renderOption={(choice) => <ChoiceLine choice={choice} pieces={pieces} />}
        onPick={(choice) =>
          "location" in choice ? onChoose(choice.location) : onNewBin(choice.create)
        }
        settled={settled}
        loading={isFetching && !byShelf}
        empty={
          byShelf ? (
            <BinTree pieces={pieces} onChoose={onChoose} />
          ) : error ? null : (
            "No bins yet. Type a name to make one."
          )
        }
      />
    </div>
  );
}

function ChoiceLine({ choice, pieces }: { choice: Choice; pieces: Pieces }) {
  if ("create" in choice) {
    return (
      <span className="flex items-center gap-2 text-accent-ink">
        <Plus aria-hidden="true" className="size-4" />
        New bin “{choice.create}”…
      </span>
    );
  }
  return (
    <span className="flex items-baseline gap-3">
      <BinFit room={choice.location} pieces={pieces} />
    </span>
  );
}
