import { api } from "@/shared/api/client";
import { queryOne, queryPage, queryRows } from "@/shared/api/queries";
import type { ListParams } from "@/shared/table/column";
import type { Order } from "./model";

export const orderQueries = {
  lists: () => ["orders", "list"] as const,
  /** How many wait for what, and whether the bar leads here. */
  waiting: () => queryOne(["orders", "waiting"], "orders/waiting"),
  detail: (id: number) => queryOne(["orders", "detail", id], "orders/{id}", { path: { id } }),
  lines: (id: number) => queryRows(["orders", "lines", id], "orders/{id}/lines", { path: { id } }),
  /** The other orders of its buyer that share its parcel, or could. */
  parcel: (id: number) =>
    queryRows(["orders", "parcel", id], "orders/{id}/parcel", { path: { id } }),
  events: (id: number) =>
    queryRows(["orders", "events", id], "orders/{id}/events", { path: { id } }),
  marketplaceSteps: (id: number) =>
    queryRows(["orders", "marketplaceSteps", id], "orders/{id}/marketplaceSteps", { path: { id } }),
  soldTwice: (id: number) =>
    queryRows(["orders", "soldTwice", id], "orders/{id}/soldTwice", { path: { id } }),
  /** The address that the store calls when an order changes. */
  hook: () => queryOne(["orders", "hook"], "orderHook"),
  /** What buyer and seller wrote, read at the store: a call of the day, so only when asked for. */
  messages: (id: number) => ({
    ...queryRows(["orders", "messages", id], "orders/{id}/messages", { path: { id } }),
    staleTime: 60_000,
  }),
  /** Orders that are not sent yet, for the board, of all stores or of those at a marketplace. */
  open: (marketplace?: Exclude<Order["marketplace"], "">) =>
    queryPage(["orders", "board", marketplace], "orders", {
      query: { is_open: true, page_size: 200, ordering: "orderedAt", marketplace },
    }),
  /** The order that is in a tray now. */
  inTray: (tray: string) => ({
    ...queryRows(["orders", "tray", tray], "orders", { query: { tray } }),
    staleTime: 0,
  }),
  /** Walks that were not ended. */
  walks: () =>
    queryRows(["orders", "walks"], "pickWalks", { query: { is_open: true, page_size: 20 } }),
  walkOrders: (walk: number) =>
    queryRows(["orders", "walkOrders", walk], "pickWalks/{id}/orders", { path: { id: walk } }),
  stops: (walk: number) =>
    queryRows(["orders", "stops", walk], "pickWalks/{id}/stops", { path: { id: walk } }),
};

export const orderRows = {
  key: orderQueries.lists(),
  fetch: (params: ListParams, signal: AbortSignal) =>
    api.get("orders", { filters: params, signal }),
};
