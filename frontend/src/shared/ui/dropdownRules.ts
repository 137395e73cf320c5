/** Buttons that leave the bar's dropdowns open when clicked carry this attribute (spec 2). */
export const exportBatchItemsMark = { "data-export-batch-items": "" } as const;

export const KEEPS_DROPDOWNS_OPEN = "[data-export-batch-items]";
