/** What is only seen after a click, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const SourceForm = lazyPart(() => import("./SourceForm").then((m) => m.SourceForm));
