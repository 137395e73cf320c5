export type { Source } from "./model";
export { SourceForm } from "./parts";
export { sourceQueries } from "./queries";
export { SourceField } from "./SourceField";
