export { LocationForm } from "./LocationForm";
export { LocationPicker, type PickedLocation } from "./LocationPicker";
export { OverLimit } from "./MoveContentsDialog";
export type { ConflictItem, ContainerType, Location } from "./model";
export { containerTypeQueries, locationQueries } from "./queries";
