export {
  type ColorOption,
  NO_COLOR,
  narrowColors,
  otherColors,
  rankColors,
} from "./colorRanking";
export { ItemNotFoundDialog, type NotFoundSearch, type SearchWay } from "./ItemNotFoundDialog";
export { type CatalogItem, type CatalogLot, type Color, type ItemKey, itemKeyOf } from "./model";
export { catalogQueries } from "./queries";
export { itemOfKey } from "./searchParams";
