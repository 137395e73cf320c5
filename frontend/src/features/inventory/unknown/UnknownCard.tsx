import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { worthText } from "@/shared/lib/worth";
import { Badge } from "@/shared/ui/Badge";
import { Button, IconButton, PlainButton } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { Spinner } from "@/shared/ui/Spinner";
import { type Candidate, likenessTexts, lotsText, type Unknown, whyTexts } from "./model";

/** A number with its lots, why it is unknown, and a picture of each item that it may be. */
export function UnknownCard(props: {
  unknown: Unknown;
  isBusy: boolean;
  onName: (candidate: Candidate) => void;
  onSearch: () => void;
  /** Null without a store. */
  onLookUp: (() => void) | null;
  /** Null for what is kept already. */
  onKeep: (() => void) | null;
}) {
  const { unknown, isBusy, onName, onSearch, onLookUp, onKeep } = props;
  const navigate = useNavigate();
  const label = unknown.item_number || unknown.part_name || "No number";
  const hasNone = unknown.candidates.length === 0;
  const why = whyTexts[unknown.why];
  const entries: MenuEntry[] = [
    {
      id: "search",
      label: "Find it in the catalogue…",
      description: "Choose any item for all its lots",
      run: onSearch,
    },
    ...(onLookUp
      ? [
          {
            id: "look-up",
            label: "Look it up at the marketplace",
            description: "One of today's calls",
            disabledReason:
              (!unknown.item_number && "It has no number") ||
              (unknown.id === null && "It is in batches only"),
            run: onLookUp,
          },
        ]
      : []),
    ...(onKeep
      ? [
          {
            id: "keep",
            label: "Keep as an own item",
            description: "Stays in stock as its file called it; not asked again",
            run: onKeep,
          },
        ]
      : []),
    "separator",
    {
      id: "lots",
      label: "Show its lots",
      disabledReason: unknown.id === null && "It is in batches only",
      run: () =>
        void navigate(
          pathTo("inventory", {
            is_known: "false",
            search: unknown.item_number || unknown.part_name,
          }),
        ),
    },
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="wrap-anywhere font-medium">{label}</p>
        <p className="wrap-anywhere line-clamp-2 text-muted text-sm">
          {unknown.item_number && unknown.part_name ? `${unknown.part_name} · ` : ""}
          {lotsText(unknown)}
          {unknown.colors > 1 && ` of ${formatCount(unknown.colors)} colours`},{" "}
          {worthText({ value: unknown.value, lots_without_price: unknown.lots_without_price })}
        </p>
        {!hasNone && <p className="text-muted text-xs">{why}</p>}
      </div>
      <div className={clsx("flex max-w-full gap-2", hasNone ? "items-center" : "items-start")}>
        <ul
          className="flex min-w-0 flex-wrap gap-2 empty:hidden"
          aria-label={`What ${label} may be`}
        >
          {unknown.candidates.map((candidate) => (
            <li key={candidate.item_id}>
              <PlainButton
                aria-disabled={isBusy}
                onClick={() => !isBusy && onName(candidate)}
                title={`${candidate.item_name} (${likenessTexts[candidate.likeness]})`}
                aria-label={`It is ${candidate.item_number}, ${candidate.item_name}: ${likenessTexts[candidate.likeness]}`}
                className="flex w-20 flex-col items-center gap-0.5 rounded-control p-1 text-center hover:bg-hover"
              >
                <ItemImage
                  src={candidate.image_url}
                  type={candidate.item_type}
                  name={candidate.item_name}
                  size="md"
                />
                <span className="w-full truncate font-mono text-xs">{candidate.item_number}</span>
                <span className="w-full truncate text-[0.6875rem] text-muted leading-tight">
                  {likenessTexts[candidate.likeness]}
                </span>
              </PlainButton>
            </li>
          ))}
        </ul>
        {hasNone && (
          <>
            {onKeep && <Badge>{why}</Badge>}
            <Button size="sm" onClick={onSearch}>
              Find it…
            </Button>
          </>
        )}
        {isBusy ? (
          <Spinner />
        ) : (
          <Menu
            trigger={<IconButton label={`More for ${label}`} icon={Ellipsis} />}
            entries={entries}
          />
        )}
      </div>
    </li>
  );
}
