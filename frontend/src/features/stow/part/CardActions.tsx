import { CornerDownLeft, Minus, Plus } from "lucide-react";
import { Button, IconButton } from "@/shared/ui/Button";
import type { Station } from "../useStation";

/** The quantity; digits set it, + and − change it by one. */
export function Quantity({ station: { card, run } }: { station: Station }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium text-xs">Quantity</span>
      <span className="flex h-8 items-center gap-1">
        <IconButton
          label="One less"
          icon={Minus}
          variant="secondary"
          disabledReason={!card.taken && "Take the match first"}
          onClick={() => run({ do: "change", by: -1 })}
        />
        <output
          aria-label="Quantity"
          className="min-w-14 px-1 text-center font-bold text-4xl tabular-nums leading-none"
        >
          {card.quantity}
        </output>
        <IconButton
          label="One more"
          icon={Plus}
          variant="secondary"
          disabledReason={!card.taken && "Take the match first"}
          onClick={() => run({ do: "change", by: 1 })}
        />
      </span>
    </div>
  );
}

/** The button for Enter on touch screens: takes the match, then adds it. */
export function AcceptButton({ station }: { station: Station }) {
  const { card, colors, direct, run, bins } = station;
  const bin = bins.bin?.name || station.first.firstBin;
  const asks = card.taken && colors.asks !== null;
  // Its bin stands above the colours.
  const named = asks ? colors.named : null;
  const where = bins.split ? " in two bins" : bin ? ` ${direct ? "into" : "to"} ${bin}` : "";
  const act = `${direct ? "Stow" : "Add"} ${card.quantity}${named ? ` ${named.name}` : where}`;
  const adds = card.taken || station.addsAtOnce;
  const text = asks && !named ? "Choose a colour" : adds ? act : "Use this part";
  return (
    <Button
      variant="primary"
      size="lg"
      className="min-w-0 max-w-full shrink! grow sm:ml-auto sm:min-w-36 sm:grow-0"
      icon={asks && !named ? undefined : <CornerDownLeft aria-hidden="true" className="size-4" />}
      once
      disabledReason={asks && !named && "Several colours: choose a picture"}
      onClick={() =>
        named ? station.chooseColor(named, { add: true }) : run({ do: adds ? "accept" : "take" })
      }
    >
      <span className="truncate">{text}</span>
    </Button>
  );
}

/** On a phone both buttons are at the bottom edge, within reach of the thumb. */
export function PhoneBar({ station }: { station: Station }) {
  return (
    <section
      aria-label="Add the part"
      data-foot=""
      className="z-header sticky bottom-0 order-last flex items-end gap-3 border-line border-t bg-raised px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] shadow-float"
    >
      <Quantity station={station} />
      <AcceptButton station={station} />
    </section>
  );
}
