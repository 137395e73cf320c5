import { Boxes, Copy, MapPin, PackageCheck, PackageX, Pencil, Store, Trash2 } from "lucide-react";
import { useMemo } from "react";
import type { MenuEntry } from "@/shared/ui/Menu";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";
import type { BatchItem } from "../model";
import { useFollowEdits } from "../mutations";
import { draftOf, whyNotList } from "../rules";
import type { useMarkListed } from "../useMarkListed";
import { type Chosen, type Dialog, justThis, nothing } from "./dialog";

/** What is done with single rows: their menu, their cells' buttons, and their removal. */
export function useItemActs(props: {
  historyKey: string;
  markListed: ReturnType<typeof useMarkListed>;
  /** Must stay the same function. */
  onDialog: (dialog: Dialog) => void;
}) {
  const { historyKey, markListed, onDialog } = props;
  const followEdits = useFollowEdits();

  /** New items go with an undo; what is stowed is asked about first. */
  const remove = async (chosen: Chosen) => {
    const isNew = chosen.known.length === chosen.count && chosen.known.every((i) => !i.is_stowed);
    if (!isNew) {
      onDialog({ kind: "remove", chosen });
      return;
    }
    const { rowEditor } = await import("@/shared/table/editing/rowEditor");
    const editor = await rowEditor<BatchItem>(historyKey);
    await editor.deleteRows(chosen.known);
    chosen.clear();
  };
  /** Another row with all that this one has: the same part in another colour, condition, bin. */
  const duplicate = async (item: BatchItem) => {
    try {
      const { rowEditor } = await import("@/shared/table/editing/rowEditor");
      const editor = await rowEditor<BatchItem>(historyKey);
      const made = await editor.createRows([draftOf(item)]);
      if (made.length === 0) toast.error("Not duplicated. The history shows why.");
      followEdits();
    } catch (error) {
      tellFailure(error);
    }
  };
  const cellActions = useMemo(
    () => ({
      chooseLocation: (item: BatchItem) =>
        onDialog({ kind: "plan", ids: [item.id], item, clear: nothing }),
    }),
    [onDialog],
  );

  const rowActions = (item: BatchItem): MenuEntry[] => [
    { id: "edit", label: "Edit…", icon: Pencil, run: () => onDialog({ kind: "editItem", item }) },
    { id: "duplicate", label: "Duplicate", icon: Copy, run: () => void duplicate(item) },
    {
      id: "stow",
      label: "Stow…",
      icon: Boxes,
      disabledReason: item.is_stowed && "It is stowed already",
      run: () => onDialog({ kind: "stow", chosen: justThis(item) }),
    },
    {
      id: "plan",
      label: "Plan its bin…",
      icon: MapPin,
      disabledReason: item.is_stowed && "It is stowed already: move it in the inventory",
      run: () => cellActions.chooseLocation(item),
    },
    {
      id: "list",
      needs: "write marketplace/listings",
      label: "List…",
      icon: Store,
      disabledReason: whyNotList([item]),
      run: () => onDialog({ kind: "list", chosen: justThis(item) }),
    },
    item.is_listed
      ? {
          id: "unlisted",
          label: "Unmark as listed",
          icon: PackageX,
          run: () => markListed.run([item.id], nothing, false),
        }
      : {
          id: "listed",
          label: "Mark as listed",
          icon: PackageCheck,
          disabledReason: !item.is_stowed && "Stow it first",
          run: () => markListed.run([item.id], nothing),
        },
    "separator",
    {
      id: "remove",
      label: item.is_stowed ? "Take out of stock…" : "Remove",
      icon: Trash2,
      danger: true,
      run: () => void remove(justThis(item)),
    },
  ];

  return { remove, cellActions, rowActions };
}
