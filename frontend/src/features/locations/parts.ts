/** What is only seen after a click, in chunks of their own. */
import { createElement } from "react";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Loading } from "@/shared/ui/states";

/** For pages that rarely choose a bin; the station loads the dialog with its page. */
export const BinPicker = lazyPart(() => import("./BinDialog").then((m) => m.BinDialog));
export const LocationForm = lazyPart(() => import("./LocationForm").then((m) => m.LocationForm));
export const PatternDialog = lazyPart(() => import("./PatternDialog").then((m) => m.PatternDialog));
export const ContainerTypesDialog = lazyPart(() =>
  import("./ContainerTypesDialog").then((m) => m.ContainerTypesDialog),
);
export const MoveContentsDialog = lazyPart(() =>
  import("./MoveContentsDialog").then((m) => m.MoveContentsDialog),
);
export const DeleteLocation = lazyPart(() =>
  import("./DeleteLocation").then((m) => m.DeleteLocation),
);
export const SetManyDialog = lazyPart(() => import("./SetManyDialog").then((m) => m.SetManyDialog));
export const LabelsDialog = lazyPart(() => import("./LabelsDialog").then((m) => m.LabelsDialog));
export const ShelfMap = lazyPart(
  () => import("./ShelfMap").then((m) => m.ShelfMap),
  createElement(Loading),
);
export const LocationCharts = lazyPart(
  () => import("./LocationCharts").then((m) => m.LocationCharts),
  createElement(Loading),
);
export const LocationHistory = lazyPart(() =>
  import("./LocationHistory").then((m) => m.LocationHistory),
);
/** Until it is there its place is kept, so that nothing moves. */
export const LocationCode = lazyPart(
  () => import("./LocationCode").then((m) => m.LocationCode),
  createElement("span", { className: "block size-[66px]" }),
);
export const LookAlikes = lazyPart(() => import("./LookAlikes").then((m) => m.LookAlikes));
export const SeveralLocations = lazyPart(() =>
  import("./SeveralLocations").then((m) => m.SeveralLocations),
);
/** For the frame of the app: it hears scanners on every page. */
export const ScannerFrame = lazyPart(() => import("./ScannerFrame").then((m) => m.ScannerFrame));
/** Seen only while there are any. */
export const CaseTwins = lazyPart(() => import("@/shared/ui/CaseTwins").then((m) => m.CaseTwins));
