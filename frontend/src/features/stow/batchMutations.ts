import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";

/** Makes an empty batch by its name alone; the rest can be filled in on the batches page. */
export function useCreateBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => one(await api.post("batches", { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ["batches"] }),
  });
}
