import { clsx } from "clsx";
import { MapPin, PackageOpen, Plus, Split, TriangleAlert } from "lucide-react";
import { stockQueries } from "@/features/catalog/public";
import { totalOf } from "@/shared/api/envelope";
import { counted, formatCount, formatDate, formatWeight } from "@/shared/lib/format";
import { isItemType } from "@/shared/lib/itemTypes";
import { useIsAway } from "@/shared/lib/line";
import { useIsPhone } from "@/shared/lib/useIsPhone";
import { unweighedText } from "@/shared/lib/weight";
import { Badge, KeyHint, type Tone } from "@/shared/ui/Badge";
import { Button, PlainButton } from "@/shared/ui/Button";
import { ItemImage } from "@/shared/ui/ItemImage";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { useLetter } from "../add/letters";
import type { Destination, LastSold } from "../model";
import type { Bins } from "./bins";
import { roomFor, type Share } from "./plan";

const soldTones: Record<LastSold, Tone> = {
  recent: "success",
  moderate: "info",
  old: "warning",
  unknown: "neutral",
};

/** The bin for the pieces, in letters that can be read across the table, and the reason. */
export function BinBlock(props: {
  bins: Bins;
  quantity: number;
  /** Grams of one piece; null: unknown. */
  grams: number | null;
  /**
   * The tray that holds the pieces until the walk to the bins; null where they are stowed at once.
   */
  tray: number | null;
  /** The bin that Enter makes for this part; null where there are bins. */
  firstBin: string | null;
  hasLot: boolean;
  onChange: () => void;
  onNewBin: () => void;
  onChoose: (destination: Destination) => void;
}) {
  const { bins, quantity, hasLot, onChange, onNewBin, onChoose } = props;
  const letter = useLetter("chooseBin");
  const isPhone = useIsPhone();
  const isAway = useIsAway();
  if (bins.error) {
    return <ErrorState title="No recommendation" error={bins.error} onRetry={bins.tryAgain} />;
  }
  if (!bins.bin && !bins.settled) return <Loading label="Looking for a bin…" />;
  if (bins.split) return <SplitBins shares={bins.split} onChange={onChange} />;
  if (!bins.bin && props.firstBin) return <FirstBin name={props.firstBin} />;
  if (!bins.bin) return <NoBin hasLot={hasLot} onChange={onChange} onNewBin={onNewBin} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="flex items-center gap-1.5 font-medium text-muted text-sm">
          <MapPin aria-hidden="true" className="size-4" />
          {bins.byPerson ? "Your bin" : props.tray === null ? "Put it in" : "Planned for"}
          {bins.destination?.recommended && <Badge tone="accent">recommended</Badge>}
          {isAway && <Badge tone="warning">checked when connected</Badge>}
        </h2>
        <Button size="sm" aria-keyshortcuts={letter} onClick={onChange}>
          Other bin <KeyHint>{letter}</KeyHint>
        </Button>
      </div>
      <BinName name={bins.bin.name} />
      {props.tray !== null && (
        <p className="font-semibold text-lg">
          <Badge tone="info">Tray {props.tray}</Badge>{" "}
          <span className="font-normal text-muted text-sm">
            Drop it here for now. You put it away in {bins.bin.name} later.
          </span>
        </p>
      )}
      {bins.destination && (
        <Facts destination={bins.destination} quantity={quantity} grams={props.grams} />
      )}
      {!isPhone && <BinContents binId={bins.bin.id} />}
      {bins.alternatives.length > 0 && (
        <div className="flex flex-col gap-1 max-sm:hidden">
          <h3 className="font-medium text-muted text-xs">Next best</h3>
          <ol className="-mx-2 flex flex-col">
            {bins.alternatives.map((destination) => (
              <li key={destination.id}>
                <BinLine destination={destination} onChoose={() => onChoose(destination)} />
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

/** The first part of a heap: its bin is made with it. */
export function FirstBin({ name }: { name: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="font-medium text-muted text-sm">Your first part goes into</h2>
      <BinName name={name} quiet />
    </div>
  );
}

/** No bin has room for all pieces: the text splits them between two bins. Enter does both. */
function SplitBins(props: { shares: readonly Share[]; onChange: () => void }) {
  const letter = useLetter("chooseBin");
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-2">
        <h2 className="flex items-center gap-1.5 font-medium text-muted text-sm">
          <Split aria-hidden="true" className="size-4" />
          No bin has room for all of it. Split it over two
        </h2>
        <Button size="sm" aria-keyshortcuts={letter} onClick={props.onChange}>
          Other bin <KeyHint>{letter}</KeyHint>
        </Button>
      </div>
      {props.shares.map(({ bin, pieces }) => (
        <div key={bin.id} className="flex flex-col gap-1">
          <p className="font-semibold text-lg">{counted(pieces, "piece")} into</p>
          <BinName name={bin.name} />
          <p className="text-muted first-letter:uppercase">{bin.reason}</p>
        </div>
      ))}
    </div>
  );
}

/**
 * The smallest size of a bin's letters, which can be read from a metre away; larger for people who
 * have set larger letters.
 */
const SMALLEST = "max(96px, 6rem)";
const LARGEST = "18rem";

/** The width of a bold letter relative to its height; digits and capitals are the widest. */
const LETTER = 0.66;

/** The size at which the name fits on one line of its box (100cqi wide), within both limits. */
export function binLetterSize(name: string): string {
  const share = 100 / (Math.max(2, name.length) * LETTER);
  return `clamp(${SMALLEST}, ${share.toFixed(1)}cqi, ${LARGEST})`;
}

/** Only the name, as large as its box allows and at least 96 px. */
export function BinName({ name, quiet = false }: { name: string; quiet?: boolean }) {
  return (
    <p className="@container">
      <span className="sr-only">Bin</span>
      <span
        style={{ fontSize: binLetterSize(name) }}
        className={clsx(
          "block break-words font-bold leading-[0.95] tracking-tight short:text-8xl!",
          quiet && "text-muted",
        )}
      >
        {name}
      </span>
    </p>
  );
}

function Facts(props: { destination: Destination; quantity: number; grams: number | null }) {
  const { destination, quantity, grams } = props;
  const { reason } = destination;
  const { inventory_container_type_name: type, stored_weight, max_total_weight } = destination;
  const room = roomFor(destination, grams);
  const over = room === null ? 0 : quantity - room;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-base first-letter:uppercase">{reason}</p>
      <div className="flex flex-wrap items-center gap-1.5 empty:hidden">
        <LotInBin lot={destination} />
        {type && <span className="text-muted text-sm">{type}</span>}
      </div>
      <Fill
        label="Pieces in the bin"
        used={destination.item_count}
        planned={destination.planned}
        limit={destination.max_item_count}
        adding={quantity}
        text={formatCount}
      />
      {max_total_weight !== null && grams === null && (
        <p className="text-muted text-sm">
          The weight of a piece is unknown: it counts as 0 g here.
        </p>
      )}
      {max_total_weight !== null && (
        <Fill
          label="Grams in the bin"
          used={Number(stored_weight)}
          limit={Number(max_total_weight)}
          adding={quantity * (grams ?? 0)}
          text={formatWeight}
          leftOut={unweighedText(destination.unknown_weight_count)}
        />
      )}
      {over > 0 && (
        <Notice tone="warning">
          <TriangleAlert aria-hidden="true" className="mr-1 inline size-4 align-text-bottom" />
          It takes {formatCount(Math.max(0, room ?? 0))} more: {formatCount(over)} too many.
        </Notice>
      )}
    </div>
  );
}

/** The pieces of the lot that the bin holds, and when some were sold out of it. */
function LotInBin({ lot }: { lot: Destination }) {
  // The bin never held the lot: zero and unknown would say nothing.
  if (lot.qty_on_hand === 0 && lot.lastSold === "unknown") return null;
  return (
    <>
      <Badge tone={lot.qty_on_hand > 0 ? "success" : "neutral"}>
        {formatCount(lot.qty_on_hand)} on hand
      </Badge>
      <span className="mx-1 flex items-center gap-1.5 text-muted text-sm">
        Last sold <Badge tone={soldTones[lot.lastSold]}>{lot.lastSold}</Badge>
        {lot.lastSoldDate && formatDate(lot.lastSoldDate)}
      </span>
    </>
  );
}

/** The bin's load, now and with the pieces on the card: in pieces or in grams. */
function Fill(props: {
  label: string;
  used: number;
  /** Of them those that are planned, not in it yet. */
  planned?: number | undefined;
  limit: number | null;
  adding: number;
  text: (amount: number) => string;
  /** The pieces that the figure leaves out; empty where there are none. */
  leftOut?: string;
}) {
  const { label, used, planned = 0, limit, adding, text } = props;
  const more = planned > 0 ? `, ${text(planned)} planned` : "";
  // The reason says already that it is empty.
  if (limit === null && used === 0) return null;
  if (limit === null) {
    return (
      <p className="text-muted text-sm">
        {counted(used - planned, "piece")} in it{more}, no limit set
      </p>
    );
  }
  const leftOut = props.leftOut ? `, ${props.leftOut}` : "";
  const inIt = `${text(used - planned)} in it${more}${leftOut}`;
  const share = (pieces: number) => `${Math.min(100, (pieces / Math.max(1, limit)) * 100)}%`;
  const isOver = used + adding > limit;
  return (
    <div className="flex flex-col gap-1">
      <p className="flex justify-between text-muted text-xs tabular-nums">
        <span>{inIt}</span>
        <span>of {text(limit)}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot show what is being added */}
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${text(used)}${leftOut} of ${text(limit)}`}
        className="relative h-2.5 overflow-hidden rounded-full bg-line"
      >
        <span
          style={{ width: share(used + adding) }}
          className={clsx("absolute inset-y-0 left-0", isOver ? "bg-danger-solid" : "bg-accent/40")}
        />
        <span style={{ width: share(used) }} className="absolute inset-y-0 left-0 bg-accent" />
      </div>
    </div>
  );
}

function BinLine({ destination, onChoose }: { destination: Destination; onChoose: () => void }) {
  const { name, reason, available_item_count: room } = destination;
  return (
    <PlainButton
      onClick={onChoose}
      className="flex w-full items-baseline gap-3 rounded-control px-2 py-1.5 text-left hover:bg-hover pointer-coarse:py-2.5"
    >
      <span className="shrink-0 font-semibold text-base">{name}</span>
      <span className="min-w-0 flex-1 truncate text-muted text-sm">{reason}</span>
      <span className="shrink-0 text-muted text-xs tabular-nums">
        {room === null ? "" : `room ${formatCount(room)}`}
      </span>
    </PlainButton>
  );
}

function NoBin(props: { hasLot: boolean; onChange: () => void; onNewBin: () => void }) {
  const letter = useLetter("chooseBin");
  return (
    <div className="flex flex-col items-start gap-3">
      <PackageOpen aria-hidden="true" className="size-8 text-muted" />
      <p className="font-semibold text-2xl">No bin yet</p>
      <p className="max-w-prose text-muted">
        {props.hasLot
          ? "No bin suits it: each is full, left out of recommendations or holds other kinds of parts. Make one, choose one yourself, or add it without a bin and plan later."
          : "No catalogue lists this item in this colour, so nothing can be recommended. Choose a bin, or add it without one."}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} variant="primary" onClick={props.onNewBin}>
          New bin
        </Button>
        <Button aria-keyshortcuts={letter} onClick={props.onChange}>
          Choose a bin <KeyHint>{letter}</KeyHint>
        </Button>
      </div>
    </div>
  );
}

/** What lies in the bin already, as small pictures: whoever opens it sees that it is the one. */
function BinContents({ binId }: { binId: number }) {
  const data = useSideQuery(stockQueries.contents(binId), "what lies in the bin");
  if (!data || data.data.length === 0) return null;
  const { data: lots } = data;
  const more = totalOf(data) - lots.length;
  return (
    <section aria-label="In the bin" className="flex flex-col gap-1">
      <h3 className="font-medium text-muted text-xs">In it now</h3>
      <ul className="flex flex-wrap items-end gap-2">
        {lots.map((row) => (
          <li key={row.id} className="flex flex-col items-center text-xs tabular-nums">
            <ItemImage
              src={row.image_url}
              type={isItemType(row.item_type) ? row.item_type : "PART"}
              name={row.part_name || row.item_number}
              colorName={row.color_name}
              colorHtml={row.color_html}
            />
            {formatCount(row.quantity)}
          </li>
        ))}
        {more > 0 && <li className="text-muted text-xs">and {counted(more, "more lot")}</li>}
      </ul>
    </section>
  );
}
