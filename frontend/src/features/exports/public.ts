export { ExportButton } from "./ExportButton";
export type { ExportAsked } from "./ExportRun";
export { exportKinds } from "./kinds";
export { keepExportOptions, readExportOptions } from "./options";
export { ExportRun, ExportSelected } from "./parts";
export { WantedListField } from "./WantedListField";
