import { forgetPerson } from "@/shared/lib/person";
import { clientStore, reloadClientState } from "./clientStore";
import type { StatePath } from "./paths";

beforeEach(reloadClientState);

// TypeScript refuses these values; values from outside are refused at run time.
const untyped = clientStore as unknown as Record<string, (...input: unknown[]) => void>;
const item = {
  id: 1,
  item_number: "3001",
  item_name: "Brick 2 x 4",
  item_id: 5,
  item_type: "PART" as const,
  image_url: null,
  score: 0.98,
  category: "Brick",
  external_sites: [{ name: "BrickLink", url: "https://www.bricklink.com" }],
  lots: [],
};
const last = {
  batchId: 1,
  batchName: "Attic",
  totalItemsAdded: 3,
  quantity: 2,
  itemName: "Brick 2 x 4",
  itemNumber: "3001",
  itemType: "PART" as const,
  color: "Red",
  timestamp: "2026-01-01T00:00:00Z",
};

describe("set, toggle and clear", () => {
  it("change what they name", () => {
    clientStore.set("itemBeingProcessed.quantity", 5);
    clientStore.toggle("options.highlight");

    expect(clientStore.get("itemBeingProcessed.quantity")).toBe(5);
    expect(clientStore.get("options.highlight")).toBe(true);

    clientStore.toggle("options.highlight");
    clientStore.clear("itemBeingProcessed.quantity");

    expect(clientStore.get("options.highlight")).toBe(false);
    expect(clientStore.get("itemBeingProcessed.quantity")).toBe(1);
  });

  it("take the fields of the item being processed", () => {
    clientStore.set("itemBeingProcessed.partDestinations", [
      {
        locationId: 1,
        locationName: "B-07",
        qty_on_hand: 34,
        lastSold: "recent",
        recommended: true,
      },
    ]);
    clientStore.set("itemBeingProcessed.setDestinations", [
      { number: "10255-1", name: "Square", qty_required: 4, qty_on_hand: 1 },
    ]);
    clientStore.set("itemBeingProcessed.price", "0.1234");
    clientStore.set("itemBeingProcessed.locationName", "B-07");

    expect(clientStore.get("itemBeingProcessed")).toMatchObject({
      searchType: "image",
      condition: "U",
      price: "0.1234",
      locationName: "B-07",
      quantity: 1,
    });
  });
});

describe("add, update and remove", () => {
  it("change the entries of a list", () => {
    clientStore.add("identifiedItems", item);
    clientStore.add("identifiedItems", { ...item, id: 2 });
    clientStore.update("identifiedItems", { id: 2 }, { score: 0.5 });

    expect(clientStore.get("identifiedItems")).toEqual([item, { ...item, id: 2, score: 0.5 }]);

    clientStore.remove("identifiedItems", { id: 1 });

    expect(clientStore.get("identifiedItems").map(({ id }) => id)).toEqual([2]);
  });

  it("refuse an entry that does not fit", () => {
    expect(() => untyped.add?.("identifiedItems", { id: "one" })).toThrow("identifiedItems.0");
    expect(clientStore.get("identifiedItems")).toEqual([]);
  });
});

describe("the schema", () => {
  it.each<[string, unknown]>([
    ["options.highlight", "yes"],
    ["itemBeingProcessed.searchType", "voice"],
    ["itemBeingProcessed.condition", "X"],
    ["itemBeingProcessed.quantity", -1],
    ["itemBeingProcessed.price", "1,50"],
    ["options.lookupType", "GEAR"],
    ["options.batchFilter", "sold"],
    ["options.highlight", undefined],
  ])("refuses an unfit value for %s, naming the path", (path, value) => {
    const before = clientStore.get(path as StatePath);

    expect(() => untyped.set?.(path, value)).toThrow(path);

    expect(clientStore.get(path as StatePath)).toBe(before);
  });

  it.each(["options.nothing", "toString", "options.highlight.deeper", ""])(
    "knows no path %p",
    (path) => {
      expect(() => untyped.set?.(path, 1)).toThrow(`Unknown state path: ${path}`);
      expect(() => untyped.get?.(path)).toThrow("Unknown state path");
      expect(() => untyped.clear?.(path)).toThrow("Unknown state path");
    },
  );

  it("takes exactly the values of its enums", () => {
    for (const type of ["image", "number", "name"] as const) {
      clientStore.set("itemBeingProcessed.searchType", type);
    }
    for (const type of ["PART", "MINIFIG", "SET", "ANY"] as const) {
      clientStore.set("options.lookupType", type);
    }
    expect(clientStore.get("options.lookupType")).toBe("ANY");
  });
});

describe("defaults", () => {
  it("are the specification's", () => {
    expect(clientStore.get("options")).toMatchObject({
      highlight: false,
      showLowValueLots: false,
      hideExistingBatchItemLots: false,
      completeMinifigs: false,
      showOnlyMyBids: false,
      showArchivedBatches: false,
      listWithStow: false,
      sounds: false,
      webcamStayActive: true,
      lookupType: "PART",
      batchFilter: "all",
      showZeroQuantity: false,
      showUnconsolidated: false,
      auctionAutoRefresh: false,
      auctionAutoRefreshInterval: 300_000,
    });
    expect(clientStore.get("itemBeingProcessed.condition")).toBe("U");
  });
});

describe("persistence", () => {
  it("keeps options and the condition in the browser", () => {
    clientStore.set("options.showArchivedBatches", true);
    clientStore.set("itemBeingProcessed.condition", "N");
    clientStore.set("itemBeingProcessed.itemName", "Brick");

    expect({ ...localStorage }).toEqual({
      bb_setting_showArchivedBatches: "true",
      bb_setting_condition: '"N"',
    });

    reloadClientState();

    expect(clientStore.get("options.showArchivedBatches")).toBe(true);
    expect(clientStore.get("itemBeingProcessed.condition")).toBe("N");
    expect(clientStore.get("itemBeingProcessed.itemName")).toBe("");
  });

  it("takes nothing unfit from storage", () => {
    localStorage.setItem("bb_setting_condition", '"X"');
    reloadClientState();

    expect(clientStore.get("itemBeingProcessed.condition")).toBe("U");
  });

  it("forgets what belongs to a person and keeps the options", () => {
    clientStore.set("lastBatchItemAdded", last);
    clientStore.set("options.highlight", true);
    clientStore.set("options.listWithStow", true);

    forgetPerson();

    expect(clientStore.get("lastBatchItemAdded")).toBeNull();
    // The option puts things on sale, so the next person must not inherit it.
    expect(clientStore.get("options.listWithStow")).toBe(false);
    expect({ ...localStorage }).toEqual({ bb_setting_highlight: "true" });
  });
});
