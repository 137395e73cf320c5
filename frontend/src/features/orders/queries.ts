import { queryOptions } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { ListParams } from "@/shared/table/column";

export const orderQueries = {
  lists: () => ["orders", "list"] as const,
  /** How many wait for what, and whether the bar leads here. */
  waiting: () =>
    queryOptions({
      queryKey: ["orders", "waiting"],
      queryFn: async ({ signal }) => one(await api.get("orders/waiting", { signal })),
    }),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["orders", "detail", id],
      queryFn: async ({ signal }) => one(await api.get("orders/{id}", { path: { id }, signal })),
    }),
  lines: (id: number) =>
    queryOptions({
      queryKey: ["orders", "lines", id],
      queryFn: async ({ signal }) =>
        (await api.get("orders/{id}/lines", { path: { id }, signal })).data,
    }),
  events: (id: number) =>
    queryOptions({
      queryKey: ["orders", "events", id],
      queryFn: async ({ signal }) =>
        (await api.get("orders/{id}/events", { path: { id }, signal })).data,
    }),
  told: (id: number) =>
    queryOptions({
      queryKey: ["orders", "told", id],
      queryFn: async ({ signal }) =>
        (await api.get("orders/{id}/told", { path: { id }, signal })).data,
    }),
  /** The address that the store calls when an order changes. */
  hook: () =>
    queryOptions({
      queryKey: ["orders", "hook"],
      queryFn: async ({ signal }) => one(await api.get("orderHook", { signal })),
    }),
  /** What buyer and seller wrote, read at the store: a call of the day, so only when asked for. */
  messages: (id: number) =>
    queryOptions({
      queryKey: ["orders", "messages", id],
      queryFn: async ({ signal }) =>
        (await api.get("orders/{id}/messages", { path: { id }, signal })).data,
      staleTime: 60_000,
    }),
  /** Orders that are not sent yet, for the board. */
  open: () =>
    queryOptions({
      queryKey: ["orders", "board"],
      queryFn: async ({ signal }) =>
        await api.get("orders", {
          query: { is_open: true, page_size: 200, ordering: "orderedAt" },
          signal,
        }),
    }),
  /** The order that is in a tray now. */
  inTray: (tray: string) =>
    queryOptions({
      queryKey: ["orders", "tray", tray],
      queryFn: async ({ signal }) => (await api.get("orders", { query: { tray }, signal })).data,
      staleTime: 0,
    }),
  /** Walks that were not ended. */
  walks: () =>
    queryOptions({
      queryKey: ["orders", "walks"],
      queryFn: async ({ signal }) =>
        (await api.get("pickWalks", { query: { is_open: true, page_size: 20 }, signal })).data,
    }),
  walkOrders: (walk: number) =>
    queryOptions({
      queryKey: ["orders", "walkOrders", walk],
      queryFn: async ({ signal }) =>
        (await api.get("pickWalks/{id}/orders", { path: { id: walk }, signal })).data,
    }),
  stops: (walk: number) =>
    queryOptions({
      queryKey: ["orders", "stops", walk],
      queryFn: async ({ signal }) =>
        (await api.get("pickWalks/{id}/stops", { path: { id: walk }, signal })).data,
    }),
};

export const orderRows = {
  key: orderQueries.lists(),
  fetch: (params: ListParams, signal: AbortSignal) =>
    api.get("orders", { filters: params, signal }),
};
