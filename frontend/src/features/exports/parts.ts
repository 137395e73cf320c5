/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const ExportRun = lazyPart(() => import("./ExportRun").then((m) => m.ExportRun));
export const ExportSelected = lazyPart(() =>
  import("./ExportSelected").then((m) => m.ExportSelected),
);
