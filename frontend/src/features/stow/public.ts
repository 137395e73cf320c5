export { BatchDialog } from "./BatchDialog";
export { LetterKeys } from "./LetterKeys";
export type { Destination, Owned } from "./model";
export { readPrice, shortPrice } from "./price";
export { preferencesQuery, stockQueries } from "./queries";
export { type BatchChoice, useBatchChoice } from "./useBatchChoice";
