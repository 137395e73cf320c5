/** What comes with the first table that is edited, in one chunk. */
export { CellEditor } from "./CellEditor";
export { CellMark } from "./CellMark";
export { GridActs } from "./gridActs";
export { editorFor, keepEditor } from "./registry";
export { Tools } from "./Tools";
