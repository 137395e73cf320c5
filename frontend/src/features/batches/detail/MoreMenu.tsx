import {
  Archive,
  ArchiveRestore,
  Boxes,
  ChartColumn,
  Ellipsis,
  FileUp,
  History,
  Pencil,
  Store,
  Tag,
  Trash2,
} from "lucide-react";
import { useNavigate } from "react-router-dom";
import { problemText } from "@/shared/lib/problem";
import { IconButton } from "@/shared/ui/Button";
import { Menu } from "@/shared/ui/Menu";
import { toast } from "@/shared/ui/toast";
import type { ActKind } from "../acts/ActDialog";
import { actEntries } from "../acts/entries";
import type { Batch } from "../model";
import { useArchiveBatch } from "../mutations";
import type { PlainDialog } from "./dialog";

/** What is done with a batch more rarely than the buttons beside it. */
export function MoreMenu(props: {
  batch: Batch;
  onDialog: (kind: PlainDialog) => void;
  onAct: (act: ActKind) => void;
}) {
  const { batch, onDialog, onAct } = props;
  const { stats } = batch;
  const closed = batch.is_archived && "It is archived";
  const empty = stats.total_lots === 0 && "The batch is empty";
  const archive = useArchiveBatch();
  const navigate = useNavigate();
  const onError = (error: Error) => void toast.error(problemText(error));
  const toggle = () => {
    const { id, name, is_archived: wasArchived } = batch;
    const takeBack = () => archive.mutate({ id, archived: wasArchived }, { onError });
    archive.mutate(
      { id, archived: !wasArchived },
      {
        onSuccess: () =>
          toast.success(`${name} ${wasArchived ? "restored" : "archived"}`, {
            action: { label: "Undo", run: takeBack },
          }),
        onError,
      },
    );
  };
  return (
    <Menu
      trigger={
        <IconButton
          label="More"
          variant="secondary"
          icon={<Ellipsis aria-hidden="true" className="size-4" />}
        />
      }
      entries={[
        {
          id: "edit",
          label: "Rename and edit",
          icon: <Pencil aria-hidden="true" className="size-4" />,
          disabledReason: batch.is_archived && "It is archived",
          run: () => onDialog("edit"),
        },
        {
          id: "import",
          label: "Import BSX into it…",
          icon: <FileUp aria-hidden="true" className="size-4" />,
          disabledReason: closed,
          run: () => onDialog("import"),
        },
        {
          id: "charts",
          label: "Charts",
          icon: <ChartColumn aria-hidden="true" className="size-4" />,
          disabledReason: empty,
          run: () => onDialog("charts"),
        },
        {
          id: "label",
          label: "Print its label…",
          icon: <Tag aria-hidden="true" className="size-4" />,
          run: () => onDialog("label"),
        },
        {
          id: "log",
          label: "Operations",
          icon: <History aria-hidden="true" className="size-4" />,
          run: () => onDialog("log"),
        },
        {
          id: "stock",
          label: "Stock from it",
          icon: <Boxes aria-hidden="true" className="size-4" />,
          disabledReason: stats.new_lots === stats.total_lots && "Nothing of it is stowed",
          run: () => navigate(`/app/inventory?batch=${batch.id}`),
        },
        {
          id: "store",
          label: "All listings and syncs",
          icon: <Store aria-hidden="true" className="size-4" />,
          run: () => navigate("/app/store"),
        },
        "separator",
        ...actEntries(closed || empty, stats.new_lots === 0 && "Nothing in it is new").map(
          ({ act, ...entry }) => ({ ...entry, id: act, run: () => onAct(act) }),
        ),
        {
          id: "merge",
          label: "Merge into another batch…",
          disabledReason: closed,
          run: () => onAct("merge"),
        },
        "separator",
        {
          id: "archive",
          label: batch.is_archived ? "Restore" : "Archive",
          icon: batch.is_archived ? (
            <ArchiveRestore aria-hidden="true" className="size-4" />
          ) : (
            <Archive aria-hidden="true" className="size-4" />
          ),
          run: toggle,
        },
        {
          id: "delete",
          label: "Delete",
          danger: true,
          icon: <Trash2 aria-hidden="true" className="size-4" />,
          disabledReason: batch.is_archived && "It is archived",
          run: () => onDialog("delete"),
        },
      ]}
    />
  );
}
