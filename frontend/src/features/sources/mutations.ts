import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyedCall, keyed } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Source } from "./model";
import { sourceQueries } from "./queries";

export type SourceValues = Pick<Source, "name" | "notes">;

function useRefreshSources() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: sourceQueries.all() });
}

export function useCreateSource() {
  const refresh = useRefreshSources();
  return useMutation({
    mutationFn: async (values: SourceValues) => one(await api.post<Source>("sources", values)),
    onSuccess: refresh,
  });
}

/** Changes some fields. A source that changed elsewhere meanwhile is refused with CONFLICT. */
export function useEditSource() {
  const refresh = useRefreshSources();
  return useMutation({
    mutationFn: async (edit: {
      source: Source;
      changes: Partial<SourceValues>;
      call?: KeyedCall;
    }) => {
      const { source, changes, call } = edit;
      const body = { ...changes, updatedAt: source.updatedAt };
      return one(await api.patch<Source>(`sources/${source.id}`, body, keyed(call)));
    },
    onSuccess: refresh,
  });
}

export function useDeleteSource() {
  const refresh = useRefreshSources();
  return useMutation({
    mutationFn: (id: number) => api.delete(`sources/${id}`),
    onSuccess: refresh,
  });
}
