export { LogOutDialog, OutboxLayer, UnsentCount, UnsentNotice } from "./parts";
