export { stateNames } from "./model";
export { HookSettings } from "./parts";
export { orderQueries } from "./queries";
export { TrayCards } from "./TrayCards";
