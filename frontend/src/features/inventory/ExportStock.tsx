import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ExportButton } from "@/features/exports/public";
import { problemText } from "@/shared/lib/problem";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { useEditInventoryItem } from "./mutations";
import { inventoryQueries } from "./queries";

const LotForm = lazyPart(() => import("./LotForm").then((m) => m.LotForm));

/** Opens a row of which only the id is known, as dialogs of what failed do. */
export const openRow = (id: number, onClose: () => void) => <OpenedRow id={id} onClose={onClose} />;

/** The export of the whole stock; what cannot be written can be opened and mended. */
export function ExportStock() {
  return <ExportButton scope={{ scope: "inventory" }} openRow={openRow} />;
}

function OpenedRow({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: item, error } = useQuery(inventoryQueries.detail(id));
  const edit = useEditInventoryItem();
  const client = useQueryClient();
  useEffect(() => {
    if (!error) return;
    toast.error(problemText(error));
    onClose();
  }, [error, onClose]);
  return (
    item && (
      <LotForm
        title={item.part_name || item.item_number}
        lot={item}
        onSave={async (changes) => {
          await edit.mutateAsync({ item, changes });
          void client.invalidateQueries({ queryKey: inventoryQueries.all() });
        }}
        onClose={onClose}
      />
    )
  );
}
