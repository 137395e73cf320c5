import { lazyPart } from "@/shared/ui/lazyPart";

export const BackupSettings = lazyPart(() =>
  import("./BackupSettings").then((part) => part.BackupSettings),
);

export const OwnData = lazyPart(() => import("./BackupSettings").then((part) => part.OwnData));
