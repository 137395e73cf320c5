import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";

/** Creates an empty batch from a name; the other fields can be set on the batches page. */
export function useCreateBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => one(await api.post("batches", { body: { name } })),
    onSuccess: () => invalidate(client, "batches"),
  });
}
