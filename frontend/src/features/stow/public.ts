export { BatchDialog } from "./BatchDialog";
export { NewBatchForm } from "./NewBatchForm";
export { type BatchChoice, useBatchChoice } from "./useBatchChoice";
