import { type MutationMeta, useMutation } from "@tanstack/react-query";
import { type RowEdit, sentOfEdit } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Schema } from "@/shared/api/wire";
import { savesRow } from "@/shared/outbox/unsent";
import type { Source } from "./model";

export type SourceValues = Required<Pick<Schema<"SourceWriteRequest">, "name" | "notes">>;

const ABOUT_ONE_SOURCE = [
  ["sources", "detail"],
  ["batches", "ofSource"],
] as const;

/** Batches carry the names of their sources. */
const STALE = ["sources", "batches"] as const;

export function useCreateSource() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: async (values: SourceValues) => one(await api.post("sources", { body: values })),
  });
}

/** What the table of sources sends of one row. */
export const saveSourceOf = savesRow("sources/{id}", STALE);

/** Changes some fields. A source that changed elsewhere meanwhile is refused with CONFLICT. */
export function useEditSource() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: async (edit: RowEdit<Source, Partial<SourceValues>>) =>
      one(await api.patch("sources/{id}", sentOfEdit(edit))),
  });
}

export function useDeleteSource(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, deletes: { about: ABOUT_ONE_SOURCE }, ...meta },
    mutationFn: (id: number) => api.delete("sources/{id}", { path: { id } }),
  });
}

/** Gives its batches and notes to another source, and deletes it. */
export function useMergeSource(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, deletes: { about: ABOUT_ONE_SOURCE }, ...meta },
    mutationFn: async ({ id, into }: { id: number; into: number }) =>
      one(await api.post("sources/{id}/merge", { path: { id }, body: { into } })),
  });
}

/** Lets all its batches come from another source, or from none (`to` null). */
export function useReassignBatches() {
  return useMutation({
    meta: { stale: STALE, tellsFailure: true },
    mutationFn: async ({ id, to }: { id: number; to: number | null }) =>
      one(await api.post("sources/{id}/reassign", { path: { id }, body: { to } })),
  });
}
