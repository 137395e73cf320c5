/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const SourceForm = lazyPart(() => import("./SourceForm").then((m) => m.SourceForm));
export const SourceDrawer = lazyPart(() => import("./SourceDrawer").then((m) => m.SourceDrawer));
export const Returns = lazyPart(() => import("./Returns").then((m) => m.Returns));
export const MergeSource = lazyPart(() => import("./MergeSource").then((m) => m.MergeSource));
export const DeleteSource = lazyPart(() => import("./DeleteSource").then((m) => m.DeleteSource));
/** Seen only while there are any. */
export const CaseTwins = lazyPart(() => import("@/shared/ui/CaseTwins").then((m) => m.CaseTwins));
