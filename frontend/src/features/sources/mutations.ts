import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyedCall, keyed } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import type { Schema } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import type { Source } from "./model";

export type SourceValues = Required<Pick<Schema<"SourceWriteRequest">, "name" | "notes">>;

const ABOUT_ONE_SOURCE = [
  ["sources", "detail"],
  ["batches", "ofSource"],
] as const;

/** Batches carry the names of their sources. */
function useRefreshSources() {
  const client = useQueryClient();
  return () => {
    void invalidate(client, "sources", "batches");
  };
}

export function useCreateSource() {
  const refresh = useRefreshSources();
  return useMutation({
    mutationFn: async (values: SourceValues) => one(await api.post("sources", { body: values })),
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
      return one(
        await api.patch("sources/{id}", { path: { id: source.id }, body, ...keyed(call) }),
      );
    },
    onSuccess: refresh,
    // Deleted elsewhere meanwhile: it leaves the list here too.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) refresh();
    },
  });
}

export function useDeleteSource(meta?: MutationMeta) {
  const refresh = useRefreshSources();
  return useMutation({
    meta: { deletes: { about: ABOUT_ONE_SOURCE }, ...meta },
    mutationFn: (id: number) => api.delete("sources/{id}", { path: { id } }),
    onSuccess: refresh,
  });
}

/** Gives its batches and notes to another source, and deletes it. */
export function useMergeSource(meta?: MutationMeta) {
  const refresh = useRefreshSources();
  return useMutation({
    meta: { deletes: { about: ABOUT_ONE_SOURCE }, ...meta },
    mutationFn: async ({ id, into }: { id: number; into: number }) =>
      one(await api.post("sources/{id}/merge", { path: { id }, body: { into } })),
    onSuccess: refresh,
  });
}

/** Lets all its batches come from another source, or from none (`to` null). */
export function useReassignBatches() {
  const refresh = useRefreshSources();
  return useMutation({
    meta: { tellsFailure: true },
    mutationFn: async ({ id, to }: { id: number; to: number | null }) =>
      one(await api.post("sources/{id}/reassign", { path: { id }, body: { to } })),
    onSuccess: refresh,
  });
}
