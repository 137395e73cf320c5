export { ExportButton } from "./ExportButton";
export type { ExportAsked } from "./ExportRun";
export type { ExportOptions } from "./model";
export { readExportOptions } from "./options";
export { ExportRun } from "./parts";
export { useExport } from "./useExport";
