export { stateNames } from "./model";
export { orderQueries } from "./queries";
