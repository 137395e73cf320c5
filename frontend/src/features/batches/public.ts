export type { Batch, BatchItem } from "./model";
export { useDeleteBatch } from "./mutations";
export { ABOUT_ONE_BATCH } from "./queries";
export { StartBatch } from "./StartBatch";
