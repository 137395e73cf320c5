export { AddToMySets } from "./AddToMySets";
export { type CustomItem, CustomItemDialog } from "./CustomItemDialog";
export {
  type ColorOption,
  NO_COLOR,
  narrowColors,
  otherColors,
  rankColors,
} from "./colorRanking";
export { ItemNotFoundDialog, type NotFoundSearch, type SearchWay } from "./ItemNotFoundDialog";
export { HiddenLots, LotOptions, MarkEdges } from "./LotOptions";
export { type LotContext, type LotMark, type LotViewOptions, marksOf, viewLots } from "./lotView";
export { type CatalogItem, type CatalogLot, type Color, type ItemKey, itemKeyOf } from "./model";
export { catalogQueries, lotsInBatchQuery, lotsNeededQuery } from "./queries";
export { itemOfKey } from "./searchParams";
