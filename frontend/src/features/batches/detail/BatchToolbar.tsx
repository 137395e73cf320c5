import {
  Archive,
  ArchiveRestore,
  Boxes,
  ChartColumn,
  Check,
  ChevronDown,
  Coins,
  FileUp,
  Footprints,
  History,
  PackageCheck,
  PackageOpen,
  Pencil,
  Plus,
  RefreshCw,
  ScanLine,
  Store,
  Tag,
  Trash2,
} from "lucide-react";
import { useNavigate } from "react-router-dom";
import { ExportButton } from "@/features/exports/public";
import { useHasStore, useStoreSync } from "@/features/marketplace/public";
import { counted } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import type { ActKind } from "../acts/ActDialog";
import { actEntries } from "../acts/entries";
import type { Batch } from "../model";
import { openItem } from "../parts";
import { type Dialog, type PlainDialog, wholeBatch } from "./dialog";
import { nextStepOf } from "./nextStep";
import { useArchive } from "./useArchive";

/** The next step of the batch as its one primary button, what is often done, and the rest under More. */
export function BatchToolbar(props: {
  batch: Batch;
  marking: boolean;
  onMarkListed: () => void;
  onDialog: (dialog: Dialog) => void;
}) {
  const { batch, onDialog } = props;
  const { new_lots: newLots, stowed_lots: stowedLots } = batch.stats;
  const hasStore = useHasStore();
  const next = nextStepOf(batch, hasStore);
  const archive = useArchive();
  const list = () => onDialog({ kind: "list", chosen: wholeBatch(stowedLots) });
  const exporting = (
    <ExportButton
      label="Export items"
      variant={next === "export" ? "primary" : "secondary"}
      scope={{ scope: "batch", batch_id: batch.id }}
      openRow={openItem}
      disabledReason={batch.batch_item_lot_count === 0 && "The batch is empty"}
    />
  );
  const adding = !batch.is_archived && (
    <ButtonLink
      to={pathTo("stow", { batch: batch.id })}
      icon={ScanLine}
      variant={next === "add" ? "primary" : "secondary"}
    >
      Add items
    </ButtonLink>
  );
  // The head shows the primary one last on wide screens; Tab comes to it first.
  return (
    <>
      {next === "stow" && (
        <ButtonLink
          variant="primary"
          to={pathTo("batches", { batch: batch.id, walk: 1 })}
          icon={Footprints}
          title="Goes from bin to bin, shows what belongs in each, and stows it"
        >
          Put away {counted(newLots, "lot")}
        </ButtonLink>
      )}
      {next === "price" && (
        <Button
          variant="primary"
          icon={Coins}
          onClick={() => onDialog({ kind: "act", act: "reprice", chosen: wholeBatch(stowedLots) })}
        >
          Price {counted(stowedLots, "lot")}
        </Button>
      )}
      {next === "list" && (
        <Button
          needs="write marketplace/listings"
          variant="primary"
          icon={Store}
          disabledReason={batch.isListing && "It is being listed now"}
          onClick={list}
        >
          List {counted(stowedLots, "lot")}
        </Button>
      )}
      {next === "close" && (
        <Button
          variant="primary"
          icon={Check}
          loading={archive.isPending}
          onClick={() => archive.toggle(batch)}
        >
          Close the batch
        </Button>
      )}
      {next === "add" && adding}
      <MoreMenu
        batch={batch}
        hasStore={hasStore ?? false}
        onDialog={onDialog}
        onList={next !== "list" && stowedLots > 0 ? list : null}
        marking={props.marking}
        onMarkListed={props.onMarkListed}
        onArchive={() => archive.toggle(batch)}
      />
      {next !== "export" && exporting}
      {next !== "add" && adding}
      {next === "export" && exporting}
    </>
  );
}

type Props = {
  batch: Batch;
  hasStore: boolean;
  onDialog: (dialog: Dialog) => void;
  /** Null where listing is the next step already, or impossible. */
  onList: (() => void) | null;
  marking: boolean;
  onMarkListed: () => void;
  onArchive: () => void;
};

/** What is done with a batch more rarely than the buttons beside it, in groups. */
function MoreMenu(props: Props) {
  const { batch, onDialog } = props;
  const { total_lots: lots } = batch.stats;
  const navigate = useNavigate();
  const sync = useStoreSync(batch.id);
  const about = {
    ...props,
    closed: batch.is_archived && "Restore the batch first",
    empty: lots === 0 && "The batch is empty",
    open: (kind: PlainDialog) => () => onDialog({ kind }),
    act: (kind: ActKind) => () => onDialog({ kind: "act", act: kind, chosen: wholeBatch(lots) }),
    go: (path: string) => () => void navigate(path),
  };
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" className="gap-1">
            More
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        }
        entries={[
          ...stowEntries(about),
          ...shopEntries(about, sync),
          ...addEntries(about),
          ...changeEntries(about),
          ...lookEntries(about),
          ...batchEntries(about),
        ]}
      />
      {sync.dialog}
    </>
  );
}

type About = Props & {
  /** Why nothing of it can be changed. */
  closed: string | false;
  empty: string | false;
  open: (kind: PlainDialog) => () => void;
  act: (kind: ActKind) => () => void;
  go: (path: string) => () => void;
};

const stowEntries = ({ batch, closed, onDialog }: About): MenuEntry[] =>
  batch.stats.new_lots === 0
    ? []
    : [
        {
          id: "stow",
          label: `Record ${counted(batch.stats.new_lots, "lot")} as stowed…`,
          description: "You have put them into their bins already, without the walk",
          icon: PackageOpen,
          disabledReason: closed,
          run: () => onDialog({ kind: "stow", chosen: wholeBatch(batch.stats.new_lots) }),
        },
      ];

function shopEntries(
  { batch, hasStore, closed, go, ...props }: About,
  sync: ReturnType<typeof useStoreSync>,
): MenuEntry[] {
  const { stowed_lots: stowed, listed_lots: listed } = batch.stats;
  const list = hasStore && props.onList;
  return [
    { heading: "To the shop" },
    ...(list
      ? [
          {
            id: "list",
            needs: "write marketplace/listings" as const,
            label: `List ${counted(stowed, "lot")}…`,
            description: "Puts stowed lots on sale in your store",
            icon: Store,
            disabledReason: closed || (batch.isListing && "It is being listed now"),
            run: list,
          },
        ]
      : []),
    {
      id: "markListed",
      label: stowed === 0 ? "Mark as listed" : `Mark ${counted(stowed, "lot")} as listed`,
      description: "Only records it: you put them on sale elsewhere, for example with BrickStore",
      icon: PackageCheck,
      disabledReason:
        closed ||
        (props.marking && "Still running") ||
        (stowed === 0 && "No stowed lot is left to list"),
      run: props.onMarkListed,
    },
    ...(hasStore
      ? [
          {
            id: "sync",
            needs: "write marketplace/syncs" as const,
            label: "Sync",
            description: "Compares this batch with your store and shows what differs",
            icon: RefreshCw,
            disabledReason:
              closed ||
              (sync.isStarting && "Comparison is running") ||
              (stowed + listed === 0 && "None of it is in stock yet"),
            run: sync.compare,
          },
          {
            id: "store",
            needs: "read marketplace/syncs" as const,
            label: "All listings and syncs",
            icon: Store,
            run: go(paths.store),
          },
        ]
      : []),
  ];
}

const addEntries = ({ closed, open }: About): MenuEntry[] => [
  { heading: "Add" },
  {
    id: "add",
    label: "Add item",
    description: "By its number, without camera and bin",
    icon: Plus,
    disabledReason: closed,
    run: open("add"),
  },
  {
    id: "import",
    needs: "write batches/importBsx" as const,
    label: "Import a file into it…",
    description: "Adds the lots of a BrickStore file",
    icon: FileUp,
    disabledReason: closed,
    run: open("import"),
  },
];

const changeEntries = ({ batch, closed, empty, act }: About): MenuEntry[] => [
  { heading: "Change its lots" },
  ...actEntries(closed || empty, batch.stats.new_lots === 0 && "It has no new lots").map(
    ({ act: kind, ...entry }): MenuEntry => ({ ...entry, id: kind, run: act(kind) }),
  ),
  {
    id: "merge",
    label: "Merge into another batch…",
    description: "All lots move, and this batch is deleted",
    disabledReason: closed,
    run: act("merge"),
  },
];

const lookEntries = ({ batch, empty, open, go }: About): MenuEntry[] => [
  { heading: "Look" },
  {
    id: "charts",
    label: "Charts",
    description: "Value by colour and type, prices beside the market's",
    icon: ChartColumn,
    disabledReason: empty,
    run: open("charts"),
  },
  {
    id: "log",
    label: "Operations",
    description: "What was done, and what was refused",
    icon: History,
    run: open("log"),
  },
  {
    id: "stock",
    label: "Stock from it",
    description: "The lots of your inventory that it filled",
    icon: Boxes,
    disabledReason: batch.stats.new_lots === batch.stats.total_lots && "None of it is stowed",
    run: go(pathTo("inventory", { batch: batch.id })),
  },
];

const batchEntries = ({ batch, closed, empty, open, onDialog, onArchive }: About): MenuEntry[] => [
  { heading: "The batch" },
  {
    id: "edit",
    label: "Rename and edit",
    description: "Name, source, cost and weight",
    icon: Pencil,
    disabledReason: closed,
    run: open("edit"),
  },
  {
    id: "label",
    label: "Print its label…",
    description: "A scan of it opens the batch",
    icon: Tag,
    run: open("label"),
  },
  {
    id: "archive",
    label: batch.is_archived ? "Restore" : "Archive",
    description: batch.is_archived ? "It can be changed again" : "Keeps it, read-only",
    icon: batch.is_archived ? ArchiveRestore : Archive,
    run: onArchive,
  },
  "separator",
  {
    id: "remove",
    label: empty ? "Remove" : `Remove all ${counted(batch.stats.total_lots, "lot")}…`,
    description: "Takes stowed pieces out of stock and deletes new items",
    danger: true,
    icon: Trash2,
    disabledReason: closed || empty,
    run: () => onDialog({ kind: "remove", chosen: wholeBatch(batch.stats.total_lots) }),
  },
  {
    id: "delete",
    label: "Delete",
    description: "The batch itself; stowed pieces stay in stock",
    danger: true,
    icon: Trash2,
    disabledReason: closed,
    run: open("delete"),
  },
];
