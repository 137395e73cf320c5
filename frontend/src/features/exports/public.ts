export { ExportButton } from "./ExportButton";
export type { ExportOptions } from "./model";
export { readExportOptions } from "./options";
export { useExport } from "./useExport";
