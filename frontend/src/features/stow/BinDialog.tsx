import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Location, locationQueries } from "@/features/locations/public";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { Kbd } from "@/shared/ui/Badge";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import type { Destination } from "./model";
import { PickList } from "./PickList";
import type { Bin } from "./session";

/** The keys of the first three alternatives, as they lie on a number pad. */
const KEYS = ["7", "8", "9"] as const;

type Choice = { location: Location } | { create: string };

/**
 * Another bin: 7 8 9 take the next best, typing searches all of them. The dialog itself has the
 * focus at first; in the field 7 8 9 are letters of a name.
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
  alternatives: readonly Destination[];
  onChoose: (bin: Bin) => void;
  onNewBin: (name: string) => void;
};

/** Apart from the dialog, so that its first effect finds it drawn: dialogs are fetched lazily. */
function BinChoices({ alternatives, onChoose, onNewBin }: BinChoicesProps) {
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const { data = [], isFetching, error } = useQuery(locationQueries.pick(search));
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);

  const typed = text.trim();
  const isNew =
    typed !== "" &&
    typed === search &&
    !isFetching &&
    !data.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const found: Choice[] = data.map((location) => ({ location }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.altKey || event.metaKey) return;
    const alternative = alternatives[KEYS.indexOf(event.key as (typeof KEYS)[number])];
    if (alternative) {
      event.preventDefault();
      onChoose(alternative);
    } else if (event.key === "/" || event.key === "ArrowDown") {
      event.preventDefault();
      input.current?.focus();
    } else if (event.key.length === 1 && event.key !== " ") input.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only has the keys of its buttons
    <div ref={box} tabIndex={-1} onKeyDown={onKeyDown} className="flex flex-col gap-4 outline-none">
      {alternatives.length > 0 && (
        <ol aria-label="Next best" className="flex flex-col gap-1">
          {alternatives.map((destination, index) => (
            <li key={destination.id}>
              <button
                type="button"
                onClick={() => onChoose(destination)}
                className="flex w-full items-center gap-3 rounded-control border border-line px-3 py-2 text-left hover:bg-hover"
              >
                <Kbd>{KEYS[index]}</Kbd>
                <span className="font-bold text-lg">{destination.name}</span>
                <span className="min-w-0 flex-1 truncate text-muted text-sm">
                  {destination.reason}
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {error && <Notice tone="danger">{problemText(error)}</Notice>}
      <PickList
        label="All bins"
        hint={
          alternatives.length > 0 &&
          "Type to search; press / first if the name begins with 7, 8 or 9."
        }
        placeholder="Type a name"
        inputRef={input}
        text={text}
        onText={setText}
        options={isNew ? [...found, { create: typed }] : found}
        getKey={(choice) => ("location" in choice ? choice.location.id : "create")}
        renderOption={(choice) => <ChoiceLine choice={choice} />}
        onPick={(choice) =>
          "location" in choice ? onChoose(choice.location) : onNewBin(choice.create)
        }
        loading={isFetching}
        empty="No bins yet. Type a name to make one."
      />
    </div>
  );
}

function ChoiceLine({ choice }: { choice: Choice }) {
  if ("create" in choice) {
    return (
      <span className="flex items-center gap-2 text-accent-ink">
        <Plus aria-hidden="true" className="size-4" />
        New bin “{choice.create}”…
      </span>
    );
  }
  const { name, is_full, item_count, available_item_count: room } = choice.location;
  return (
    <span className="flex items-baseline gap-3">
      <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {is_full
          ? "marked full"
          : room === null
            ? `${formatCount(item_count)} in it`
            : `room for ${formatCount(Math.max(0, room))}`}
      </span>
    </span>
  );
}
