import { useLocation } from "react-router-dom";
import { helpOf } from "@/shared/lib/help";
import { pageKeys } from "@/shared/lib/usePageKey";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { KeyGroup } from "@/shared/ui/KeyGroup";
import { destinations } from "./destinations";

type Line = { keys: readonly string[]; does: string };

const everywhere: readonly Line[] = [
  { keys: ["Ctrl", "K"], does: "Find parts, bins, batches and pages" },
  { keys: ["/"], does: "Search on this page" },
  { keys: ["?"], does: "Show these keys" },
];
const inTables: readonly Line[] = [
  { keys: ["↑", "↓", "←", "→"], does: "Go from cell to cell" },
  { keys: ["Enter"], does: "Edit the cell, or open the row" },
  { keys: ["Esc"], does: "Leave a cell as it was" },
  { keys: ["Ctrl", "C"], does: "Copy cells; Ctrl V pastes them" },
  { keys: ["Ctrl", "Z"], does: "Undo; with Shift, redo" },
];

/** The keys that work on the page beneath, read from it when the sheet opens. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const own = pageKeys().map(({ key, does }): Line => ({ keys: [key], does }));
  const { pathname } = useLocation();
  const hasTable = document.querySelector("main [role=grid]") !== null;
  return (
    <Dialog
      onClose={onClose}
      title="Keys"
      description="They work while you are not typing in a field."
      size="lg"
      footer={
        <>
          <a
            href={helpOf(pathname)}
            target="_blank"
            rel="noreferrer"
            className="mr-auto self-center text-accent-ink text-sm underline-offset-2 hover:underline"
          >
            Help for this page
          </a>
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="columns-1 gap-8 sm:columns-2">
        <KeyGroup title="On this page" lines={own} />
        <KeyGroup title="Everywhere" lines={everywhere} />
        {hasTable && <KeyGroup title="In the table" lines={inTables} />}
        <KeyGroup
          title="Go to a page"
          lines={destinations.map(({ letter, label }) => ({
            keys: ["G", letter.toUpperCase()],
            does: label,
          }))}
        />
      </div>
    </Dialog>
  );
}
