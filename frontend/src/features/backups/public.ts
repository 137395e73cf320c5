export { BackupSettings, OwnData } from "./parts";
