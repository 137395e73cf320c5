/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const LotForm = lazyPart(() => import("./LotForm").then((m) => m.LotForm));
export const MoveItemDialog = lazyPart(() =>
  import("./MoveItemDialog").then((m) => m.MoveItemDialog),
);
export const HistoryDrawer = lazyPart(() => import("./HistoryDrawer").then((m) => m.HistoryDrawer));
export const SyncDialog = lazyPart(() => import("./sync/SyncDialog").then((m) => m.SyncDialog));
export const SyncHistory = lazyPart(() => import("./sync/SyncHistory").then((m) => m.SyncHistory));
export const StartImport = lazyPart(() => import("./sync/StartImport").then((m) => m.StartImport));
