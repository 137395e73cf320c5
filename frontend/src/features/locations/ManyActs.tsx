import { Printer, SlidersHorizontal } from "lucide-react";
import { Button } from "@/shared/ui/Button";

export type ManyAct = "set" | "labels";

/** What is done to many locations at once: chosen rows, or a shelf. */
export function ManyActs({ onDo, of = "" }: { onDo: (act: ManyAct) => void; of?: string }) {
  return (
    <>
      <Button size="sm" icon={SlidersHorizontal} onClick={() => onDo("set")}>
        Type and limits…
        {of && <span className="sr-only"> of {of}</span>}
      </Button>
      <Button size="sm" icon={Printer} onClick={() => onDo("labels")}>
        Print labels
        {of && <span className="sr-only"> of {of}</span>}
      </Button>
    </>
  );
}
