import { lazyPart } from "@/shared/ui/lazyPart";

export const BackupSettings = lazyPart(() =>
  import("./BackupSettings").then((m) => m.BackupSettings),
);

export const OwnData = lazyPart(() => import("./BackupSettings").then((m) => m.OwnData));
