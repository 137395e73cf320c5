/** What others show of the outbox, loaded when it is shown. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const OutboxLayer = lazyPart(() => import("./OutboxLayer").then((part) => part.OutboxLayer));
export const UnsentCount = lazyPart(() => import("./UnsentCount").then((part) => part.UnsentCount));
export const UnsentNotice = lazyPart(() =>
  import("./UnsentCount").then((part) => part.UnsentNotice),
);
export const LogOutDialog = lazyPart(() =>
  import("./LogOutDialog").then((part) => part.LogOutDialog),
);
