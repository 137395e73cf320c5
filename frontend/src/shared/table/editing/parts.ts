/** The parts of editing that load with the first editable table, in one chunk. */
export { CellEditor } from "./CellEditor";
export { CellMark } from "./CellMark";
export { GridActs } from "./gridActs";
export { editorFor, keepEditor } from "./registry";
export { Tools } from "./Tools";
