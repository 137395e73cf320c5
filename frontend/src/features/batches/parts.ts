/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const BatchForm = lazyPart(() => import("./BatchForm").then((m) => m.BatchForm));
export const DeleteBatch = lazyPart(() => import("./DeleteBatch").then((m) => m.DeleteBatch));
export const ImportBatchDialog = lazyPart(() =>
  import("./ImportBatchDialog").then((m) => m.ImportBatchDialog),
);
export const StowDialog = lazyPart(() => import("./StowDialog").then((m) => m.StowDialog));
export const RemoveDialog = lazyPart(() => import("./RemoveDialog").then((m) => m.RemoveDialog));
export const LocationDialog = lazyPart(() =>
  import("./LocationDialog").then((m) => m.LocationDialog),
);
export const OperationsLog = lazyPart(() => import("./OperationsLog").then((m) => m.OperationsLog));
export const FailedItemsDialog = lazyPart(() =>
  import("./FailedItemsDialog").then((m) => m.FailedItemsDialog),
);
export const PriceDialog = lazyPart(() => import("./PriceDialog").then((m) => m.PriceDialog));
export const ActDialog = lazyPart(() => import("./acts/ActDialog").then((m) => m.ActDialog));
export const EditItem = lazyPart(() => import("./EditItem").then((m) => m.EditItem));
export const ListDialog = lazyPart(() => import("./listing/ListDialog").then((m) => m.ListDialog));
export const ListingDialog = lazyPart(() =>
  import("./listing/ListingDialog").then((m) => m.ListingDialog),
);
export const LabelDialog = lazyPart(() => import("./LabelDialog").then((m) => m.LabelDialog));
export const BatchCharts = lazyPart(() =>
  import("./charts/BatchCharts").then((m) => m.BatchCharts),
);
