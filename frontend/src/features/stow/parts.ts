/** Parts that load after a click, or with a camera, in their own chunks. */
import { lazyPart } from "@/shared/ui/lazyPart";

/** For pages that rarely choose a bin; the station loads the dialog with its page. */
export const BinPicker = lazyPart(() => import("./BinDialog").then((module) => module.BinDialog));
export const CameraPane = lazyPart(() =>
  import("@/features/recognition/public").then((module) => module.CameraPane),
);
export const FigureList = lazyPart(() =>
  import("./FigureList").then((module) => module.FigureList),
);
export const MinifigDialog = lazyPart(() =>
  import("./MinifigDialog").then((module) => module.MinifigDialog),
);
export const SkippedDialog = lazyPart(() =>
  import("./SkippedDialog").then((module) => module.SkippedDialog),
);
export const StopwatchDialog = lazyPart(() =>
  import("./StopwatchDialog").then((module) => module.StopwatchDialog),
);
export const SummaryDialog = lazyPart(() =>
  import("./SummaryDialog").then((module) => module.SummaryDialog),
);
export const WeighDialog = lazyPart(() =>
  import("./WeighDialog").then((module) => module.WeighDialog),
);
