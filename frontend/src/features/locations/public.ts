export { BinDialog } from "./BinDialog";
export { outOfRange } from "./binFit";
export { LocationPicker } from "./LocationPicker";
export { keepLabelSettings, readLabelSettings } from "./labelSettings";
export type {
  Bin,
  ConflictItem,
  ContainerType,
  Destination,
  Location,
  MapCell,
} from "./model";
export { useCreateByPattern } from "./mutations";
export { OverLimit } from "./overLimit";
export { BinPicker, LabelsDialog, LocationForm, ScannerFrame, SeveralLocations } from "./parts";
export { containerTypeQueries, locationQueries } from "./queries";
export { ShiftFields } from "./ShiftFields";
export { isSameChoice, type SeveralChoice, type SeveralQuestion } from "./several";
export { shelvesOf } from "./shelfMap";
export { useBinOf, useBinScans } from "./useBinOf";
export { usePickedLocation } from "./usePickedLocation";
