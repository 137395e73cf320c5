/** What is only seen after a click, in chunks of their own. */
import { createElement } from "react";
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
export const AddItemDialog = lazyPart(() =>
  import("./adding/AddItemDialog").then((m) => m.AddItemDialog),
);
export const EditItem = lazyPart(() => import("./EditItem").then((m) => m.EditItem));
export const OpenedItem = lazyPart(() => import("./OpenedItem").then((m) => m.OpenedItem));
export const ListDialog = lazyPart(() => import("./listing/ListDialog").then((m) => m.ListDialog));
export const ListingDialog = lazyPart(() =>
  import("./listing/ListingDialog").then((m) => m.ListingDialog),
);
export const LabelDialog = lazyPart(() => import("./LabelDialog").then((m) => m.LabelDialog));
export const ValueOverCost = lazyPart(() =>
  import("./charts/ValueOverCost").then((m) => m.ValueOverCost),
);
export const BatchCharts = lazyPart(() =>
  import("./charts/BatchCharts").then((m) => m.BatchCharts),
);

/** Opens an item of which only the id is known, as dialogs of what failed do. */
export const openItem = (id: number, onClose: () => void) =>
  createElement(OpenedItem, { id, onClose });
