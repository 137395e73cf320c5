import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { tellFailure } from "@/shared/ui/tellFailure";
import { EditRow } from "./EditRow";
import { inventoryQueries } from "./queries";

/** The form of a row of which only the id is known. */
export function OpenedRow({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: item, error } = useQuery(inventoryQueries.detail(id));
  useEffect(() => {
    if (!error) return;
    tellFailure(error);
    onClose();
  }, [error, onClose]);
  return item ? <EditRow item={item} onClose={onClose} /> : null;
}
