import { Boxes, FileUp, ScanLine, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Card } from "@/shared/ui/Card";

const links: readonly { to: string; icon: ReactNode; title: string; text: string }[] = [
  {
    to: "/app/stow-inventory",
    icon: <ScanLine aria-hidden="true" className="size-4" />,
    title: "Stow parts",
    text: "Type a number or a name, see the bin, press Enter.",
  },
  {
    to: "/app/batches",
    icon: <Boxes aria-hidden="true" className="size-4" />,
    title: "Work on a batch",
    text: "Stow its items, export them, mark them as listed.",
  },
  {
    to: "/app/catalog",
    icon: <Search aria-hidden="true" className="size-4" />,
    title: "Look something up",
    text: "Any part, minifig or set, with its colours and prices.",
  },
  {
    to: "/app/inventory",
    icon: <FileUp aria-hidden="true" className="size-4" />,
    title: "Import a store",
    text: "Drop a BSX file; you see every change before it happens.",
  },
];

export function QuickLinks() {
  return (
    <Card title="Go to" padded={false}>
      <ul className="p-2">
        {links.map((link) => (
          <li key={link.to}>
            <Link
              to={link.to}
              className="flex items-center gap-3 rounded-control px-2 py-2 hover:bg-hover"
            >
              <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-tint text-accent-ink">
                {link.icon}
              </span>
              <span className="min-w-0">
                <span className="block font-medium">{link.title}</span>
                <span className="block text-muted text-xs">{link.text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
