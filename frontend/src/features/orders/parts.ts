/** What others show of the orders, loaded when it is shown. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const HookSettings = lazyPart(() => import("./HookSettings").then((m) => m.HookSettings));
export const SoldTwice = lazyPart(() => import("./SoldTwice").then((m) => m.SoldTwice));
