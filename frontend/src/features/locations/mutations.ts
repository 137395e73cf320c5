import { type MutationMeta, useMutation, useQueryClient } from "@tanstack/react-query";
import { type RowEdit, sentOfEdit } from "@/shared/api/bulk";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import { savesRow } from "@/shared/outbox/unsent";
import type { ContainerType, Limits, Location } from "./model";
import type { PatternRequest } from "./queries";

export type LocationValues = Pick<
  Location,
  | keyof Limits
  | "name"
  | "description"
  | "inventory_container_type_id"
  | "exclude_from_recommendations"
  | "is_full"
>;

export type ContainerTypeValues = Required<
  Pick<Schema<"ContainerTypeWriteRequest">, keyof Limits | "name" | "size_class" | "label_size">
>;

/** Two thousand rows take longer than one. */
const LONG = { timeoutMs: 120_000 };

type SettingsBefore = Schema<"SetManyRow">["before"];

const ABOUT_ONE_LOCATION = [
  ["locations", "detail"],
  ["inventory", "lookAlikes"],
  ["inventory", "locationMovements"],
] as const;

/** What a change of locations makes stale: they carry names and rooms into stock and batches. */
const STALE = ["locations", "containerTypes", "inventory", "batchItems"] as const;

function useRefreshLocations() {
  const client = useQueryClient();
  return () => void invalidate(client, ...STALE);
}

export function useCreateLocation(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, ...meta },
    mutationFn: async (values: LocationValues) =>
      one(await api.post("inventoryLocations", { body: values })),
  });
}

/** What the table of locations sends of one row. */
export const saveLocationOf = savesRow("inventoryLocations/{id}", STALE);

/**
 * Changes some fields. A location that changed elsewhere meanwhile is refused with CONFLICT; one
 * that was deleted there leaves the lists.
 */
export function useEditLocation(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, ...meta },
    mutationFn: async (edit: RowEdit<Location, Partial<LocationValues>>) =>
      one(await api.patch("inventoryLocations/{id}", sentOfEdit(edit))),
  });
}

/**
 * Refused with LOCATION_NOT_EMPTY while the location holds lots; `data` of the error lists them.
 */
export function useDeleteLocation(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, deletes: { about: ABOUT_ONE_LOCATION }, ...meta },
    mutationFn: (id: number) => api.delete("inventoryLocations/{id}", { path: { id } }),
  });
}

/** Deletes empty ones, all or none; refused with LOCATION_NOT_EMPTY. */
export function useDeleteLocations() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: (ids: readonly number[]) =>
      api.post("inventoryLocations/deleteMany", { body: { ids } }),
  });
}

/** Sets type and limits of many; resolves with what they had, to put it back. */
export function useSetMany() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: async (body: BodyOf<"post", "inventoryLocations/setMany">) =>
      one(await api.post("inventoryLocations/setMany", { body, ...LONG })),
  });
}

/** Says that many were changed, with an undo. */
export function useTellSet() {
  const refresh = useRefreshLocations();
  return async (words: string, detail: string | undefined, rows: SettingsBefore) => {
    const { tellAct } = await import("@/shared/table/editing/tellAct");
    await tellAct({
      table: "locations",
      label: words,
      words,
      toast: { detail },
      takeBack: async () => {
        await api.post("inventoryLocations/putBackMany", { body: { rows: [...rows] }, ...LONG });
        refresh();
        return undefined;
      },
    });
  };
}

export type MoveContents = {
  from: number;
  /** Null: out of their location, to none. */
  to: number | null;
  override_reason?: string;
};

/** Moves everything in a location to another one; resolves with the act that takes it back. */
export function useMoveContents(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, ...meta },
    mutationFn: async ({ from, ...body }: MoveContents) =>
      one(await api.post("inventoryLocations/{id}/move", { path: { id: from }, body })).act_id,
  });
}

/** Moves all stowed and planned lots of a location to another one, and deletes the location. */
export function useMergeLocation(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, deletes: { about: ABOUT_ONE_LOCATION }, ...meta },
    mutationFn: async (merge: { id: number; into: number; override_reason?: string }) => {
      const { id, ...body } = merge;
      await api.post("inventoryLocations/{id}/merge", { path: { id }, body });
    },
  });
}

export function useCreateByPattern() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: async (request: PatternRequest) =>
      one(
        await api.post("inventoryLocations/pattern", {
          body: {
            ...request,
            dry_run: false,
          },
        }),
      ),
  });
}

export function useSaveContainerType() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: async (save: { type?: ContainerType; values: ContainerTypeValues }) => {
      const { type, values } = save;
      const answer = type
        ? await api.patch("inventoryContainerTypes/{id}", {
            path: { id: type.id },
            body: {
              ...values,
              updatedAt: type.updatedAt,
            },
          })
        : await api.post("inventoryContainerTypes", { body: values });
      return one(answer);
    },
  });
}

/** Lets the locations of a type be of another one, and deletes it. */
export function useMergeContainerType() {
  return useMutation({
    meta: { stale: STALE },
    mutationFn: ({ id, into }: { id: number; into: number }) =>
      api.post("inventoryContainerTypes/{id}/merge", { path: { id }, body: { into } }),
  });
}

export function useDeleteContainerType(meta?: MutationMeta) {
  return useMutation({
    meta: { stale: STALE, ...meta },
    mutationFn: (id: number) => api.delete("inventoryContainerTypes/{id}", { path: { id } }),
  });
}

/** Says that everything in a location was moved, with an undo. */
export function useTellMoved() {
  const refresh = useRefreshLocations();
  return async (words: string, actId: number) => {
    const { tellAct } = await import("@/shared/table/editing/tellAct");
    await tellAct({
      table: "inventory",
      label: words,
      words,
      acts: [{ id: actId }],
      refresh,
    });
  };
}
