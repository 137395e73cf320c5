export { LocationPicker, type PickedLocation } from "./LocationPicker";
export { keepLabelSettings, readLabelSettings } from "./labelSettings";
export { whyNotShift } from "./labels";
export type { ConflictItem, ContainerType, Location, MapCell } from "./model";
export { OverLimit } from "./overLimit";
export { LabelsDialog, LocationForm, ScannerFrame } from "./parts";
export { containerTypeQueries, locationQueries } from "./queries";
export { shelvesOf } from "./shelfMap";
export { usePickedLocation } from "./usePickedLocation";
