import {
  Archive,
  ArchiveRestore,
  Boxes,
  ChartColumn,
  ChevronDown,
  FileUp,
  History,
  PackageCheck,
  Pencil,
  Plus,
  RefreshCw,
  Store,
  Tag,
  Trash2,
} from "lucide-react";
import { useNavigate } from "react-router-dom";
import { useStoreSync } from "@/features/marketplace/public";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { actEntries } from "../acts/entries";
import type { Batch } from "../model";
import { type Dialog, type PlainDialog, wholeBatch } from "./dialog";

/** What is done with a batch more rarely than the buttons beside it, in groups. */
export function MoreMenu(props: {
  batch: Batch;
  hasStore: boolean;
  onDialog: (dialog: Dialog) => void;
  /** Null where listing is the next step already, or impossible. */
  onList: (() => void) | null;
  marking: boolean;
  onMarkListed: () => void;
  onArchive: () => void;
}) {
  const { batch, hasStore, onDialog, onList } = props;
  const { stats } = batch;
  const closed = batch.is_archived && "Restore the batch first";
  const empty = stats.total_lots === 0 && "The batch is empty";
  const lots = stats.total_lots;
  const navigate = useNavigate();
  const sync = useStoreSync(batch.id);
  const open = (kind: PlainDialog) => onDialog({ kind });
  const act = (kind: (Dialog & { kind: "act" })["act"]) =>
    onDialog({ kind: "act", act: kind, chosen: wholeBatch(lots) });

  const shop: MenuEntry[] = [
    { heading: "To the shop" },
    ...(hasStore && onList
      ? [
          {
            id: "list",
            label: `List ${counted(stats.stowed_lots, "lot")}…`,
            description: "Puts stowed lots on sale in your store",
            icon: Store,
            disabledReason: closed || (batch.isListing && "It is being listed"),
            run: onList,
          },
        ]
      : []),
    {
      id: "markListed",
      label:
        stats.stowed_lots === 0
          ? "Mark as listed"
          : `Mark ${counted(stats.stowed_lots, "lot")} as listed`,
      description: "Only records it: you put them on sale elsewhere, for example with BrickStore",
      icon: PackageCheck,
      disabledReason:
        closed ||
        (props.marking && "It is being done") ||
        (stats.stowed_lots === 0 && "Nothing is stowed and not listed"),
      run: props.onMarkListed,
    },
    ...(hasStore
      ? [
          {
            id: "sync",
            label: "Sync",
            description: "Compares this batch with your store and shows what differs",
            icon: RefreshCw,
            disabledReason:
              closed ||
              (sync.isStarting && "It is being compared") ||
              (stats.stowed_lots + stats.listed_lots === 0 && "Nothing of it is in stock yet"),
            run: sync.compare,
          },
          {
            id: "store",
            label: "All listings and syncs",
            icon: Store,
            run: () => void navigate("/app/store"),
          },
        ]
      : []),
  ];

  const entries: MenuEntry[] = [
    ...shop,
    { heading: "Add" },
    {
      id: "add",
      label: "Add item",
      description: "By its number, without camera and bin",
      icon: Plus,
      disabledReason: closed,
      run: () => open("add"),
    },
    {
      id: "import",
      label: "Import a file into it…",
      description: "Adds the lots of a BrickStore file",
      icon: FileUp,
      disabledReason: closed,
      run: () => open("import"),
    },
    { heading: "Change its lots" },
    ...actEntries(closed || empty, stats.new_lots === 0 && "Nothing in it is new").map(
      ({ act: kind, ...entry }): MenuEntry => ({ ...entry, id: kind, run: () => act(kind) }),
    ),
    {
      id: "merge",
      label: "Merge into another batch…",
      description: "All lots move, and this batch is deleted",
      disabledReason: closed,
      run: () => act("merge"),
    },
    { heading: "Look" },
    {
      id: "charts",
      label: "Charts",
      description: "Value by colour and type, prices beside the market's",
      icon: ChartColumn,
      disabledReason: empty,
      run: () => open("charts"),
    },
    {
      id: "log",
      label: "Operations",
      description: "What was done, and what was refused",
      icon: History,
      run: () => open("log"),
    },
    {
      id: "stock",
      label: "Stock from it",
      description: "The lots of your inventory that it filled",
      icon: Boxes,
      disabledReason: stats.new_lots === lots && "Nothing of it is stowed",
      run: () => void navigate(`/app/inventory?batch=${batch.id}`),
    },
    { heading: "The batch" },
    {
      id: "edit",
      label: "Rename and edit",
      description: "Name, source, cost and weight",
      icon: Pencil,
      disabledReason: closed,
      run: () => open("edit"),
    },
    {
      id: "label",
      label: "Print its label…",
      description: "A scan of it opens the batch",
      icon: Tag,
      run: () => open("label"),
    },
    {
      id: "archive",
      label: batch.is_archived ? "Restore" : "Archive",
      description: batch.is_archived ? "It can be changed again" : "Keeps it, read-only",
      icon: batch.is_archived ? (
        <ArchiveRestore aria-hidden="true" className="size-4" />
      ) : (
        <Archive aria-hidden="true" className="size-4" />
      ),
      run: props.onArchive,
    },
    "separator",
    {
      id: "remove",
      label: lots === 0 ? "Remove" : `Remove all ${counted(lots, "lot")}…`,
      description: "Takes stowed pieces out of stock and deletes new items",
      danger: true,
      icon: Trash2,
      disabledReason: closed || empty,
      run: () => onDialog({ kind: "remove", chosen: wholeBatch(lots) }),
    },
    {
      id: "delete",
      label: "Delete",
      description: "The batch itself; stowed pieces stay in stock",
      danger: true,
      icon: Trash2,
      disabledReason: closed,
      run: () => open("delete"),
    },
  ];
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" className="gap-1">
            More
            <ChevronDown aria-hidden="true" className="size-4" />
          </Button>
        }
        entries={entries}
      />
      {sync.dialog}
    </>
  );
}
