/** What pages that are full already fetch in a chunk of its own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const StoreSyncLater = lazyPart(() =>
  import("./sync/StoreSync").then((part) => part.StoreSync),
);
