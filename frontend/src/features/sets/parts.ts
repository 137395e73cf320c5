/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const AddSetsDialog = lazyPart(() => import("./AddSetsDialog").then((m) => m.AddSetsDialog));
export const SetForm = lazyPart(() => import("./SetForm").then((m) => m.SetForm));
export const PartOutDialog = lazyPart(() => import("./PartOutDialog").then((m) => m.PartOutDialog));
export const TakeDialog = lazyPart(() => import("./TakeDialog").then((m) => m.TakeDialog));
export const MissingDialog = lazyPart(() => import("./MissingDialog").then((m) => m.MissingDialog));
export const CompleteDialog = lazyPart(() =>
  import("./CompleteDialog").then((m) => m.CompleteDialog),
);
export const SellDialog = lazyPart(() => import("./SellDialog").then((m) => m.SellDialog));
