/** A small store for the station: two bricks, two bins, and a batch that stores the adds. */

import type { BatchHead, Owned } from "@/features/catalog/public";
import { makeItem, makeLot } from "@/features/catalog/testing/builders";
import { aPriceRule } from "@/features/marketplace/testing/builders";
import type { Schema } from "@/shared/api/wire";
import { answer, ok, page, refusal } from "@/shared/testing/server";
import type { BatchItem, Destination } from "../model";
import { makeDestination } from "./builders";

export const brick = makeItem({ id: 1, item_number: "3001", item_name: "Brick 2 x 4" });
export const narrow = makeItem({ id: 2, item_number: "3010", item_name: "Brick 1 x 4" });
const black = makeLot({
  id: 11,
  color_id: 11,
  color_name: "Black",
  color_html: "#05131D",
  reference_price: "0.0900",
});
const red = makeLot({ id: 10, color_id: 5, color_name: "Red", reference_price: "0.1200" });
const narrowRed = makeLot({ id: 20, item_number: "3010", color_id: 5, color_name: "Red" });

const attic: BatchHead = {
  id: 7,
  name: "Attic finds",
  is_archived: false,
  batch_item_item_count: 40,
  batch_item_lot_count: 9,
  createdAt: "2026-01-30T10:00:00Z",
};

export class StationServer {
  batches: BatchHead[] = [attic];
  items: BatchItem[] = [];
  known: Schema<"KnownPartsRow"> = { sets: [], item_ids: [] };
  owned: Owned[] = [
    {
      item_id: 5,
      lot_id: 10,
      color_id: 5,
      location_id: 1,
      location_name: "A-01",
      condition: "U",
      quantity: 34,
      price: "0.1200",
    },
  ];
  destinations: Destination[] = [
    makeDestination({
      id: 1,
      name: "A-01",
      qty_on_hand: 34,
      item_count: 50,
      max_item_count: 60,
      available_item_count: 10,
      recommended: true,
      lastSold: "recent",
      reason: "same lot and condition: 34 here, 83 % full",
    }),
    makeDestination({ id: 2, name: "A-02" }),
    makeDestination({ id: 3, name: "A-03" }),
  ];
  private count = 0;
  private slow: Promise<void> = Promise.resolve();

  install(): this {
    const found = (typed: string) => {
      // A colour after the number, parsed like the real search does.
      const [, number, name] = /^(\S*\d\S*) (red|black)$/.exec(typed) ?? [];
      const color = name && { color_id: name === "red" ? 5 : 11 };
      const text = (number ?? typed).toLowerCase();
      return [brick, narrow]
        .filter(
          ({ item_number, item_name }) =>
            item_number.startsWith(text) || item_name.toLowerCase().includes(text),
        )
        .map((item) => ({ ...item, ...color }));
    };
    answer("GET /api/catalogItems", async ({ query }) => {
      await this.slow;
      return page(found(query.get("search") ?? ""));
    });
    answer("GET /api/catalogLots", ({ query }) =>
      page(query.get("item") === "1" ? [black, red] : [narrowRed]),
    );
    answer("GET /api/colors", () =>
      page([
        { id: 5, name: "Red", color_html: "#C91A09", part_count: 700 },
        { id: 11, name: "Black", color_html: "#05131D", part_count: 900 },
        { id: 59, name: "Dark Red", color_html: "#720E0F", part_count: 90 },
      ]),
    );
    answer("GET /api/priceRule", () => ok([aPriceRule()]));
    answer("GET /api/userSetParts", () => page([]));
    answer("GET /api/preferences", () => ok([{ currency: "EUR" }]));
    answer("GET /api/inventoryItems/owned", ({ query }) =>
      ok(query.get("item") === "1" ? this.owned : []),
    );
    answer("GET /api/inventoryItems/destinations", ({ query }) =>
      ok(
        [query.get("lot"), ...(query.get("more_lots")?.split(",") ?? [])].flatMap((lot) =>
          this.destinations
            .slice(lot === "10" ? 0 : 1)
            .map((each) => ({ ...each, lot_id: Number(lot) })),
        ),
      ),
    );
    answer("GET /api/inventoryLocations", ({ query }) =>
      page(
        this.destinations
          .filter(({ name }) => name.toLowerCase().includes(query.get("search") ?? ""))
          .map((each) => ({ ...each, is_full: false })),
      ),
    );
    for (const each of this.destinations) {
      answer(`GET /api/inventoryLocations/${each.id}`, () => ok([{ ...each, is_full: false }]));
    }
    answer("GET /api/inventoryContainerTypes", () => page([]));
    answer("POST /api/inventoryLocations", ({ body }) => {
      const { name } = body as { name: string };
      return ok([{ id: 90, name }]);
    });
    answer("GET /api/batches", () => page(this.batches));
    for (const batch of this.batches) this.open(batch);
    answer("POST /api/batches", ({ body }) => {
      const batch = { ...attic, id: 8, name: (body as { name: string }).name };
      this.batches = [...this.batches, batch];
      this.open(batch);
      return ok([batch]);
    });
    answer("GET /api/batchItems", ({ query }) => {
      const type = query.get("item_type");
      const batch = query.get("batch");
      const count = Number(query.get("page_size") ?? 25);
      const found = this.items
        .toReversed()
        .filter((each) => !type || each.item_type === type)
        .filter((each) => !batch || each.batch_id === Number(batch));
      return page(found.slice(0, count));
    });
    answer("POST /api/batchItems", ({ body }) => ok([this.add(body as NewItem)]));
    return this;
  }

  /** Delays the answers to searches until the returned function is called. */
  holdSearches(): () => void {
    const open: (() => void)[] = [];
    this.slow = new Promise((resolve) => open.push(resolve));
    return () => open[0]?.();
  }

  /** Refuses the next stow of the item with this id, like the real server. */
  refuseStowing(id: number): void {
    const limits = [
      { name: "A-01", limit: "max_item_count", room: "10", wanted: "12", can_override: true },
    ];
    const reason = "A-01 takes 10 more, not 12.";
    answer("POST /api/batches/7/stow", ({ body }) => {
      const { override_reason = "" } = body as { override_reason?: string };
      if (!override_reason) {
        const failed = [{ id, reason, name: "3001", limits }];
        return refusal(409, "CAPACITY_EXCEEDED", reason, { data: [{ items: [], failed }] });
      }
      return this.stow(id);
    });
  }

  private open(batch: BatchHead): void {
    answer(`GET /api/batches/${batch.id}`, () => ok([batch]));
    answer(`GET /api/batches/${batch.id}/knownParts`, () => ok([this.known]));
    answer(`POST /api/batches/${batch.id}/stow`, ({ body }) => {
      const [id = 0] = (body as { items: number[] }).items;
      return this.stow(id);
    });
  }

  private stow(id: number): Response {
    this.items = this.items.map((item) => (item.id === id ? { ...item, is_stowed: true } : item));
    return ok([{ items: [id], failed: [] }]);
  }

  private add(given: NewItem): BatchItem {
    const lot = [red, black, narrowRed].find(({ id }) => id === given.lot_id);
    const bin = this.destinations.find(({ id }) => id === given.user_inventory_item_location_id);
    return this.put({
      batch_id: given.batch_id,
      lot_id: given.lot_id ?? 99,
      color_id: lot?.color_id ?? given.color_id ?? 0,
      color_name: lot?.color_name ?? "Dark Red",
      color_html: lot?.color_html ?? "",
      item_number: lot?.item_number ?? "3001",
      item_name: "Brick 2 x 4",
      item_type: "PART",
      qty: given.qty,
      condition: given.condition,
      price: given.price ?? "0.0000",
      user_inventory_item_location_id: given.user_inventory_item_location_id,
      user_inventory_item_location_name: bin?.name ?? null,
    });
  }

  /** Stores an item as if it had been added earlier: a used red brick, with the given fields. */
  put(given: Partial<BatchItem> = {}): BatchItem {
    this.count += 1;
    const item: BatchItem = {
      id: this.count,
      batch_id: 7,
      lot_id: 10,
      color_id: 5,
      color_name: "Red",
      color_html: "#C91A09",
      item_number: "3001",
      item_name: "Brick 2 x 4",
      item_type: "PART",
      qty: 1,
      condition: "U",
      price: "0.1200",
      user_inventory_item_location_id: null,
      user_inventory_item_location_name: null,
      is_stowed: false,
      createdAt: "2026-01-31T19:00:00Z",
      image_url: "",
      ...given,
    };
    this.items = [...this.items, item];
    const route = `/api/batchItems/${item.id}`;
    const current = () => this.items.find(({ id }) => id === item.id);
    answer(`GET ${route}`, () => ok([current()]));
    answer(`PATCH ${route}`, ({ body }) => {
      this.items = this.items.map((each) =>
        each.id === item.id ? { ...each, ...(body as Partial<BatchItem>) } : each,
      );
      return ok([current()]);
    });
    answer(`POST ${route}/count`, ({ body }) => {
      const qty = (current()?.qty ?? 0) + (body as { change: number }).change;
      this.items = this.items.flatMap((each) =>
        each.id !== item.id ? each : qty > 0 ? { ...each, qty } : [],
      );
      return ok(qty > 0 ? [current()] : []);
    });
    return item;
  }
}

type NewItem = {
  batch_id: number;
  lot_id?: number;
  color_id?: number;
  qty: number;
  condition: "N" | "U";
  price?: string;
  user_inventory_item_location_id: number | null;
};
