export { BackupSettings } from "./parts";
