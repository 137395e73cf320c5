export { orderQueries } from "./queries";
