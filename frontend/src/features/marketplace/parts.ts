/** What pages that are full already fetch in a chunk of its own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const StoreSyncLater = lazyPart(() => import("./sync/StoreSync").then((m) => m.StoreSync));
export const PullStore = lazyPart(() => import("./pull/PullStore").then((m) => m.PullStore));
export const ListDialog = lazyPart(() => import("./listing/ListDialog").then((m) => m.ListDialog));
export const UnlistDialog = lazyPart(() =>
  import("./listing/ListDialog").then((m) => m.UnlistDialog),
);
export const ListingDialog = lazyPart(() =>
  import("./listing/ListingDialog").then((m) => m.ListingDialog),
);
export const ChannelMark = lazyPart(() => import("./channels/Marks").then((m) => m.ChannelMark));
export const LotInStores = lazyPart(() =>
  import("./channels/LotInStores").then((m) => m.LotInStores),
);
export const GetPricesDialog = lazyPart(() =>
  import("./prices/GetPricesDialog").then((m) => m.GetPricesDialog),
);
export const FiguresMissing = lazyPart(() =>
  import("./prices/FiguresMissing").then((m) => m.FiguresMissing),
);
export const OldFigures = lazyPart(() => import("./prices/OldFigures").then((m) => m.OldFigures));
export const PriceRunNotice = lazyPart(() =>
  import("./prices/PriceRunNotice").then((m) => m.PriceRunNotice),
);
