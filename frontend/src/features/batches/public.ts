export type { Batch, BatchItem } from "./model";
export { ABOUT_ONE_BATCH, batchItemQueries, batchQueries } from "./queries";
