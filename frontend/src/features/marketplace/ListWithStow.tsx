import { clsx } from "clsx";
import { Radio } from "lucide-react";
import { useState } from "react";
import { onPersonForgotten } from "@/shared/lib/person";
import { clientStore, useClientState } from "@/shared/store/clientStore";
import { ConfirmDialog } from "@/shared/ui/Destructive";

/** Asked once of a person for as long as this tab is open: then they know what it does. */
let hasAgreed = false;
onPersonForgotten(() => {
  hasAgreed = false;
});

/** Listing with stowing reaches buyers: it is never on without being seen. */
export function ListWithStow({ hideWhenOff = false }: { hideWhenOff?: boolean }) {
  const on = useClientState("options.listWithStow");
  const [asking, setAsking] = useState(false);
  const turn = (next: boolean) => clientStore.set("options.listWithStow", next);
  if (!on && hideWhenOff) return null;
  return (
    <>
      <button
        type="button"
        aria-pressed={on}
        title="List on the marketplace what is stowed"
        onClick={() => (on || hasAgreed ? turn(!on) : setAsking(true))}
        className={clsx(
          "flex h-8 items-center gap-1.5 rounded-control border px-2.5 font-medium text-sm pointer-coarse:h-10",
          on
            ? "border-warning bg-warning-tint font-bold text-warning"
            : "border-line text-muted hover:bg-hover",
        )}
      >
        <Radio aria-hidden="true" className="size-4" />
        {on ? "LISTING ON" : "List with stow"}
      </button>
      {asking && (
        <ConfirmDialog
          title="List with stow?"
          confirmLabel="List with stow"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            hasAgreed = true;
            setAsking(false);
            turn(true);
          }}
        >
          While it is on, each lot that you stow is listed on the marketplace at once, at the price
          on its card. It stays on until you switch it off or sign out.
        </ConfirmDialog>
      )}
    </>
  );
}
