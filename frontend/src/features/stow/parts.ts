/** Parts that load after a click, or with a camera, in their own chunks. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const CameraPane = lazyPart(() =>
  import("@/features/recognition/public").then((m) => m.CameraPane),
);
export const FigureList = lazyPart(() => import("./part/FigureList").then((m) => m.FigureList));
export const MinifigDialog = lazyPart(() =>
  import("./part/MinifigDialog").then((m) => m.MinifigDialog),
);
export const SkippedDialog = lazyPart(() =>
  import("./add/SkippedDialog").then((m) => m.SkippedDialog),
);
export const StopwatchDialog = lazyPart(() =>
  import("./session/StopwatchDialog").then((m) => m.StopwatchDialog),
);
export const SummaryDialog = lazyPart(() =>
  import("./session/SummaryDialog").then((m) => m.SummaryDialog),
);
export const WeighDialog = lazyPart(() => import("./part/WeighDialog").then((m) => m.WeighDialog));
