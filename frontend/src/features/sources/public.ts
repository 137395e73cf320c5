export type { Source } from "./model";
export { sourceQueries } from "./queries";
export { SourceForm } from "./SourceForm";
