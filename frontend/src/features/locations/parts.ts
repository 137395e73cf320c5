/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

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
/** For the frame of the app: it hears scanners on every page. */
export const ScannerFrame = lazyPart(() => import("./ScannerFrame").then((m) => m.ScannerFrame));
