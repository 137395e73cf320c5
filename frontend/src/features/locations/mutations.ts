import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type CustomConfig } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { ApiError } from "@/shared/api/errors";
import type { ContainerType, Limits, Location } from "./model";
import {
  containerTypeQueries,
  locationQueries,
  type PatternPreview,
  type PatternRequest,
} from "./queries";

export type LocationValues = Limits & {
  name: string;
  description: string;
  inventory_container_type_id: number | null;
  exclude_from_recommendations: boolean;
  is_full: boolean;
};

export type ContainerTypeValues = Limits &
  Pick<ContainerType, "name" | "size_class" | "label_size">;

const ABOUT_ONE_LOCATION = [
  ["locations", "detail"],
  ["inventory", "lookAlikes"],
  ["inventory", "locationMovements"],
] as const;

/** What a change of locations makes stale: they carry names and rooms into stock and batches. */
function useRefreshLocations() {
  const client = useQueryClient();
  return () => {
    for (const key of [
      locationQueries.all(),
      containerTypeQueries.all(),
      ["inventory"],
      ["batchItems"],
    ]) {
      void client.invalidateQueries({ queryKey: key });
    }
  };
}

export function useCreateLocation() {
  const refresh = useRefreshLocations();
  return useMutation({
    mutationFn: async (values: LocationValues) =>
      one(await api.post<Location>("inventoryLocations", values)),
    onSuccess: refresh,
  });
}

/**
 * Changes some fields. A location that changed elsewhere meanwhile is refused with CONFLICT; one
 * that was deleted there leaves the lists.
 */
export function useEditLocation() {
  const refresh = useRefreshLocations();
  return useMutation({
    onError: (error) => {
      if (error instanceof ApiError && error.status === 404) refresh();
    },
    mutationFn: async (edit: {
      location: Location;
      changes: Partial<LocationValues>;
      config?: CustomConfig;
    }) =>
      one(
        await api.patch<Location>(
          `inventoryLocations/${edit.location.id}`,
          { ...edit.changes, updatedAt: edit.location.updatedAt },
          edit.config,
        ),
      ),
    onSuccess: refresh,
  });
}

/** Refused with LOCATION_NOT_EMPTY while something lies in it; `data` of the error lists what. */
export function useDeleteLocation() {
  const refresh = useRefreshLocations();
  return useMutation({
    meta: { deletes: { about: ABOUT_ONE_LOCATION } },
    mutationFn: (id: number) => api.delete(`inventoryLocations/${id}`),
    onSuccess: refresh,
  });
}

export type MoveContents = {
  from: number;
  /** Null: out of their location, to none. */
  to: number | null;
  override_reason?: string;
  /** The emptied location goes, and what was planned for it is planned for the other. */
  merge?: boolean;
};

/** Moves everything that lies in a location to another one. */
export function useMoveContents() {
  const refresh = useRefreshLocations();
  return useMutation({
    meta: {
      deletes: {
        about: ABOUT_ONE_LOCATION,
        idOf: ({ from, merge }: MoveContents) => (merge ? from : null),
      },
    },
    mutationFn: async ({ from, to, merge = false, override_reason }: MoveContents) => {
      if (merge) {
        await api.post(`inventoryLocations/${from}/merge`, { into: to, override_reason });
        return null;
      }
      const endpoint = `inventoryLocations/${from}/move`;
      return one(await api.post<{ act_id: number }>(endpoint, { to, override_reason })).act_id;
    },
    onSuccess: refresh,
  });
}

export function useCreateByPattern() {
  const refresh = useRefreshLocations();
  return useMutation({
    mutationFn: async (request: PatternRequest) =>
      one(
        await api.post<PatternPreview>("inventoryLocations/pattern", {
          ...request,
          dry_run: false,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useSaveContainerType() {
  const refresh = useRefreshLocations();
  return useMutation({
    mutationFn: async (save: { type?: ContainerType; values: ContainerTypeValues }) => {
      const { type, values } = save;
      const answer = type
        ? await api.patch<ContainerType>(`inventoryContainerTypes/${type.id}`, {
            ...values,
            updatedAt: type.updatedAt,
          })
        : await api.post<ContainerType>("inventoryContainerTypes", values);
      return one(answer);
    },
    onSuccess: refresh,
  });
}

/** Lets the locations of a type be of another one, and deletes it. */
export function useMergeContainerType() {
  const refresh = useRefreshLocations();
  return useMutation({
    mutationFn: ({ id, into }: { id: number; into: number }) =>
      api.post(`inventoryContainerTypes/${id}/merge`, { into }),
    onSuccess: refresh,
  });
}

export function useDeleteContainerType() {
  const refresh = useRefreshLocations();
  return useMutation({
    mutationFn: (id: number) => api.delete(`inventoryContainerTypes/${id}`),
    onSuccess: refresh,
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
      takeBack: async () => {
        await api.post(`inventoryActs/${actId}/undo`, {});
        refresh();
        return undefined;
      },
    });
  };
}
