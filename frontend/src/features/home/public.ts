export { homeQuery } from "./queries";
