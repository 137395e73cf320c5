export type { Batch, BatchItem } from "./model";
export { batchItemQueries, batchQueries } from "./queries";
