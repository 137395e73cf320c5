export { ExportButton } from "./ExportButton";
export type { ExportAsked } from "./ExportRun";
export { exportKinds } from "./kinds";
export type { ExportOptions } from "./model";
export { keepExportOptions, readExportOptions } from "./options";
export { ExportRun, ExportSelected } from "./parts";
export { useExport } from "./useExport";
export { WantedListField } from "./WantedListField";
