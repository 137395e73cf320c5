/** What is only seen after a click, in chunks of their own. */
import { Download } from "lucide-react";
import { Button } from "@/shared/ui/Button";
import { lazyPart } from "@/shared/ui/lazyPart";

export const ActsDialog = lazyPart(() => import("./many/ActsDialog").then((m) => m.ActsDialog));
export const StocktakeDialog = lazyPart(() =>
  import("./stocktake/StocktakeDialog").then((m) => m.StocktakeDialog),
);
export const BulkBar = lazyPart(() => import("./many/BulkBar").then((m) => m.BulkBar));
export const Dialogs = lazyPart(() => import("./Dialogs").then((m) => m.Dialogs));
export const HistoryDrawer = lazyPart(() => import("./HistoryDrawer").then((m) => m.HistoryDrawer));
export const SyncDialog = lazyPart(() => import("./sync/SyncDialog").then((m) => m.SyncDialog));
export const NarrowedTo = lazyPart(() => import("./NarrowedTo").then((m) => m.NarrowedTo));
export const NoStock = lazyPart(() => import("./NoStock").then((m) => m.NoStock));
export const PutThem = lazyPart(() => import("./PutThem").then((m) => m.PutThem));
export const UndecidedImport = lazyPart(() =>
  import("./sync/UndecidedImport").then((m) => m.UndecidedImport),
);
export const StockListing = lazyPart(() =>
  import("./listing/StockListing").then((m) => m.StockListing),
);
/** Until it is there its place is kept, so that nothing is pushed under a click. */
export const ExportStock = lazyPart(
  () => import("./ExportStock").then((m) => m.ExportStock),
  <Button icon={Download} disabledReason="Being fetched" className="mr-8">
    Export BSX
  </Button>,
);
