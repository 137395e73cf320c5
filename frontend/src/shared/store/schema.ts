/**
 * The client state store, defined once: paths, types, enums, defaults, and the values kept in this
 * browser. A new value is added here.
 */
import * as z from "zod/mini";
import { itemTypes } from "@/shared/lib/itemTypes";
import { PERSONAL } from "@/shared/lib/person";

/** Where a value is stored: `key` among the local settings. */
export type Persistence = { key: string };
export const persistence = z.registry<Persistence>();

const text = () => z._default(z.string(), "");
const maybe = <Type extends z.ZodMiniType>(type: Type) => z._default(z.nullable(type), null);
const option = (key: string, initial: boolean) =>
  z._default(z.boolean(), initial).register(persistence, { key });

export const CONDITIONS = ["N", "U"] as const;
export const SEARCH_TYPES = ["image", "number", "name"] as const;
export const LOOKUP_TYPES = ["PART", "MINIFIG", "SET", "ANY"] as const;
export const BATCH_FILTERS = ["all", "new", "stowed", "listed"] as const;
export const LAST_SOLD = ["recent", "moderate", "old", "unknown"] as const;

const id = z.int();
const money = z.string().check(z.regex(/^\d{1,8}(\.\d{1,4})?$/, "must be a decimal amount"));
const itemType = z.enum(itemTypes);

const partDestination = z.object({
  locationId: id,
  locationName: z.string(),
  qty_on_hand: z.int(),
  lastSold: z.enum(LAST_SOLD),
  recommended: z.boolean(),
});
const setDestination = z.object({
  number: z.string(),
  name: z.string(),
  qty_required: z.int(),
  qty_on_hand: z.int(),
});
const externalSite = z.object({ name: z.string(), url: z.string() });
const lots = z._default(z.array(z.looseObject({ id })), []);

const itemBeingProcessed = z.object({
  searchType: z
    ._default(z.enum(SEARCH_TYPES), "image")
    .register(persistence, { key: "searchType" }),
  itemNumber: text(),
  itemName: text(),
  itemType: maybe(itemType),
  colorId: maybe(id),
  lotId: maybe(id),
  colorName: text(),
  colorHtml: text(),
  price: maybe(money),
  quantity: z._default(z.int().check(z.minimum(0)), 1),
  locationId: maybe(id),
  locationName: text(),
  condition: z._default(z.enum(CONDITIONS), "U").register(persistence, { key: "condition" }),
  partDestinations: z._default(z.array(partDestination), []),
  setDestinations: z._default(z.array(setDestination), []),
  lastSoldDate: maybe(z.string()),
  lots,
});

const identifiedItem = z.object({
  id,
  item_number: z.string(),
  item_name: z.string(),
  item_id: id,
  item_type: itemType,
  image_url: z.nullable(z.string()),
  score: z.number(),
  category: z.nullable(z.string()),
  external_sites: z.array(externalSite),
  lots,
});

const selectedIdentifiedItem = z.object({
  id,
  number: z.string(),
  name: z.string(),
  type: itemType,
  item_number: z.string(),
  item_id: id,
  img_url: z.nullable(z.string()),
  category: z.nullable(z.string()),
  weight: z.nullable(z.string()),
  is_minifigure_item: z.boolean(),
  lots,
  external_sites: z.array(externalSite),
});

const lastBatchItemAdded = z.object({
  batchId: id,
  batchName: z.string(),
  totalItemsAdded: z.int(),
  quantity: z.int(),
  itemName: z.string(),
  itemNumber: z.string(),
  itemType,
  color: z.string(),
  timestamp: z.string(),
});

const options = z.object({
  highlight: option("highlight", false),
  showLowValueLots: option("showLowValueLots", false),
  hideExistingBatchItemLots: option("hideExistingBatchItemLots", false),
  completeMinifigs: option("completeMinifigs", false),
  showOnlyMyBids: option("showOnlyMyBids", false),
  showArchivedBatches: option("showArchivedBatches", false),
  // The option puts things on sale, so the next person who signs in must not inherit it.
  listWithStow: option(`${PERSONAL}listWithStow`, false),
  stowDirectly: option("stowDirectly", false),
  sounds: option("sounds", false),
  stationLettersOn: option("stationLettersOn", true),
  stationLetters: z
    ._default(
      z.array(z.object({ name: z.string(), letter: z.string().check(z.regex(/^[a-z]$/)) })),
      [],
    )
    .register(persistence, { key: "stationLetters" }),
  lockedColorId: maybe(id).register(persistence, { key: "lockedColor" }),
  webcamStayActive: option("webcamStayActive", true),
  lookupType: z._default(z.enum(LOOKUP_TYPES), "PART").register(persistence, { key: "lookupType" }),
  batchFilter: z
    ._default(z.enum(BATCH_FILTERS), "all")
    .register(persistence, { key: "batchFilter" }),
  /** The batch for which the filter was chosen. Other batches show all items. */
  batchFilterOf: maybe(id).register(persistence, { key: `${PERSONAL}batchFilterOf` }),
  showZeroQuantity: option("showZeroQuantity", false),
  showUnconsolidated: option("showUnconsolidated", false),
  auctionAutoRefresh: option("auctionAutoRefresh", false),
  auctionAutoRefreshInterval: z
    ._default(z.int().check(z.minimum(60_000)), 300_000)
    .register(persistence, { key: "auctionAutoRefreshInterval" }),
});

export const stateSchema = z.object({
  itemBeingProcessed,
  identifiedItems: z._default(z.array(identifiedItem), []),
  selectedIdentifiedItem: maybe(selectedIdentifiedItem),
  lastBatchItemAdded: z
    ._default(z.nullable(lastBatchItemAdded), null)
    .register(persistence, { key: `${PERSONAL}lastBatchItemAdded` }),
  options,
});

export type ClientState = z.infer<typeof stateSchema>;
