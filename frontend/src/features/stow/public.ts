export { BatchDialog } from "./BatchDialog";
export { LetterKeys } from "./LetterKeys";
export type { Destination, Owned } from "./model";
export { BinPicker } from "./parts";
export { readPrice, shortPrice } from "./price";
export { batchPickQueries, preferencesQuery, stockQueries } from "./queries";
export type { Bin } from "./session";
export { type BatchChoice, proposedBatch, useBatchChoice } from "./useBatchChoice";
export { type SetDestination, useSetDestinations } from "./useSetDestinations";
