/** What others show of the outbox, loaded when it is shown. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const OutboxLayer = lazyPart(() => import("./OutboxLayer").then((m) => m.OutboxLayer));
export const UnsentCount = lazyPart(() => import("./UnsentCount").then((m) => m.UnsentCount));
export const UnsentNotice = lazyPart(() => import("./UnsentCount").then((m) => m.UnsentNotice));
export const LogOutDialog = lazyPart(() => import("./LogOutDialog").then((m) => m.LogOutDialog));
