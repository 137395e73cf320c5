/** Parts that load after a click, or with a camera, in their own chunks. */
import { createElement, memo } from "react";
import { cameraWasOn } from "@/shared/camera/useCamera";
import { lazyPart } from "@/shared/ui/lazyPart";

/** On a phone its place is kept while it loads: the field below it does not move. */
const CameraRoom = () =>
  createElement("div", { className: cameraWasOn() ? "max-sm:h-[19.3rem]" : "max-sm:h-[8rem]" });

export const CameraPane = lazyPart(
  () => import("@/features/recognition/public").then((m) => memo(m.CameraPane)),
  createElement(CameraRoom),
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
