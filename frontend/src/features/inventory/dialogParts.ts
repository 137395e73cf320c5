/** The dialogs of rows, each in a chunk of its own; `Dialogs` opens them. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const LotForm = lazyPart(() => import("./LotForm").then((m) => m.LotForm));
export const MoveItemDialog = lazyPart(() =>
  import("./MoveItemDialog").then((m) => m.MoveItemDialog),
);
export const MoveRowsDialog = lazyPart(() =>
  import("./MoveItemDialog").then((m) => m.MoveRowsDialog),
);
export const ConsolidateDialog = lazyPart(() =>
  import("./many/ConsolidateDialog").then((m) => m.ConsolidateDialog),
);
export const ListRows = lazyPart(() => import("./listing/ListRows").then((m) => m.ListRows));
export const RepriceDialog = lazyPart(() =>
  import("./many/RepriceDialog").then((m) => m.RepriceDialog),
);
export const SplitDialog = lazyPart(() => import("./many/SplitDialog").then((m) => m.SplitDialog));
export const SyncHistory = lazyPart(() => import("./sync/SyncHistory").then((m) => m.SyncHistory));
export const StartImport = lazyPart(() => import("./sync/StartImport").then((m) => m.StartImport));
