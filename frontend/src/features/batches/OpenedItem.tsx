import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryOne } from "@/shared/api/queries";
import { tellFailure } from "@/shared/ui/tellFailure";
import { EditItem } from "./EditItem";

const itemQuery = (id: number) =>
  queryOne(["batchItems", "detail", id], "batchItems/{id}", { path: { id } });

/** The form of an item of which only the id is known. */
export function OpenedItem({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: item, error } = useQuery(itemQuery(id));
  useEffect(() => {
    if (!error) return;
    tellFailure(error);
    onClose();
  }, [error, onClose]);
  return item ? <EditItem item={item} onClose={onClose} /> : null;
}
