export { EndWatch } from "./EndWatch";
