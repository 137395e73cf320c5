import { ExternalLink } from "lucide-react";
import { useClientState } from "@/shared/store/clientStore";

/** Where else the selected item is described. */
export function ExternalSites() {
  const selected = useClientState("selectedIdentifiedItem");
  if (!selected?.external_sites.length) return null;
  return (
    <ul aria-label="Elsewhere" className="flex flex-wrap gap-x-4 gap-y-1">
      {selected.external_sites.map((site) => (
        <li key={site.url}>
          <a
            href={site.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-accent-ink hover:underline"
          >
            {site.name}
            <ExternalLink aria-hidden="true" className="size-3.5" />
            <span className="sr-only"> (opens a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
