import { NavLink } from "react-router-dom";
import { inventoryEntries, type NavEntry, shown } from "./navigation";

/** The bar's entries on a small screen: the same ones, under each other. */
export function SmallMenu({
  entries,
  onChosen,
}: {
  entries: readonly NavEntry[];
  onChosen: () => void;
}) {
  return (
    <nav
      aria-label="Main"
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-3.25rem)] animate-fade-in overflow-y-auto border-line border-b bg-surface px-4 pt-2 pb-3 shadow-float lg:hidden"
    >
      <Entries entries={entries} onChosen={onChosen} />
      <p className="px-2.5 pt-3 pb-1 font-medium text-muted text-xs">My Inventory</p>
      <Entries entries={inventoryEntries} onChosen={onChosen} />
    </nav>
  );
}

function Entries({ entries, onChosen }: { entries: readonly NavEntry[]; onChosen: () => void }) {
  return (
    <ul>
      {shown(entries).map((entry) => (
        <li key={entry.to}>
          <NavLink
            to={entry.to}
            onClick={onChosen}
            className="flex h-11 items-center rounded-control px-2.5 font-medium hover:bg-hover aria-[current=page]:bg-hover aria-[current=page]:text-accent-ink"
          >
            {entry.label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
