export type { Source } from "./model";
export { SourceForm } from "./parts";
export { sourceQueries } from "./queries";
