/** Parts that load after a click, or with a camera, in their own chunks. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const CameraPane = lazyPart(() =>
  import("@/features/recognition/public").then((module) => module.CameraPane),
);
export const FigureList = lazyPart(() =>
  import("./part/FigureList").then((module) => module.FigureList),
);
export const MinifigDialog = lazyPart(() =>
  import("./part/MinifigDialog").then((module) => module.MinifigDialog),
);
export const SkippedDialog = lazyPart(() =>
  import("./add/SkippedDialog").then((module) => module.SkippedDialog),
);
export const StopwatchDialog = lazyPart(() =>
  import("./session/StopwatchDialog").then((module) => module.StopwatchDialog),
);
export const StowUnsent = lazyPart(() =>
  import("./session/StowUnsent").then((module) => module.StowUnsent),
);
export const SummaryDialog = lazyPart(() =>
  import("./session/SummaryDialog").then((module) => module.SummaryDialog),
);
export const WeighDialog = lazyPart(() =>
  import("./part/WeighDialog").then((module) => module.WeighDialog),
);
