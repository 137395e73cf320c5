import { pageKeys } from "@/shared/lib/usePageKey";
import { Kbd } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
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
  const hasTable = document.querySelector("main [role=grid]") !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keys"
      description="They work while you are not typing in a field."
      size="lg"
      footer={
        <Button autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="columns-1 gap-8 sm:columns-2">
        <Group title="On this page" lines={own} />
        <Group title="Everywhere" lines={everywhere} />
        {hasTable && <Group title="In the table" lines={inTables} />}
        <Group
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

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1.5 font-semibold text-sm">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {lines.map(({ keys, does }) => (
          <div key={does} className="flex items-baseline gap-3">
            <dt className="flex w-28 shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-muted text-sm">{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
