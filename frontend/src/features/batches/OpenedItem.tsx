import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { EditItem } from "./EditItem";

const itemQuery = (id: number) =>
  queryOptions({
    queryKey: ["batchItems", "detail", id],
    queryFn: async ({ signal }) => one(await api.get("batchItems/{id}", { path: { id }, signal })),
  });

/** The form of an item of which only the id is known. */
export function OpenedItem({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: item, error } = useQuery(itemQuery(id));
  useEffect(() => {
    if (!error) return;
    toast.error(problemText(error));
    onClose();
  }, [error, onClose]);
  return item ? <EditItem item={item} onClose={onClose} /> : null;
}
