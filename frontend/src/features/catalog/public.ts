export { AddToMySets } from "./AddToMySets";
export { BatchDialog } from "./adding/BatchDialog";
export { batchPickQueries, destinationsOfEach, stockQueries } from "./adding/queries";
export { useAmong } from "./adding/useAmong";
export {
  type BatchChoice,
  proposedBatch,
  useBatchChoice,
  useCreateBatch,
} from "./adding/useBatchChoice";
export {
  type SetDestination,
  type SetDestinations,
  useSetDestinations,
} from "./adding/useSetDestinations";
export { CatalogFiles } from "./CatalogFiles";
export { LockButton, LockedColor } from "./ColorLock";
export { type CustomItem, CustomItemDialog } from "./CustomItemDialog";
export {
  lockColor,
  lockedColor,
  meantColor,
  openColor,
  recentColors,
  rememberColor,
  useLockedColor,
} from "./colorHabits";
export { type ColorOption, NO_COLOR, narrowColors, otherColors, rankColors } from "./colorRanking";
export { ExternalSites } from "./ExternalSites";
export { ItemNotFoundDialog, type NotFoundSearch } from "./ItemNotFoundDialog";
export { HiddenLots, LotOptions, MarkEdges } from "./LotOptions";
export {
  isLowValue,
  type LotContext,
  type LotMark,
  type LotViewOptions,
  marksOf,
  viewLots,
} from "./lotView";
export {
  type BatchHead,
  type CatalogItem,
  type CatalogLot,
  type Color,
  type ContainingItem,
  itemKeyOf,
  type Owned,
} from "./model";
export { useAddToBatch } from "./mutations";
export { catalogQueries, lotsInBatchQuery, lotsNeededQuery, type SeenOf } from "./queries";
export { type RecentItem, recentItems } from "./recentItems";
export { itemOfKey } from "./searchParams";
export { identifiedOf, selectedOf } from "./selected";
