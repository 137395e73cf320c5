/** What pages that are full already fetch in a chunk of its own. */
import { lazyPart } from "@/shared/ui/lazyPart";

export const StoreSyncLater = lazyPart(() =>
  import("./sync/StoreSync").then((part) => part.StoreSync),
);
export const PullStore = lazyPart(() => import("./pull/PullStore").then((part) => part.PullStore));
export const ListDialog = lazyPart(() =>
  import("./listing/ListDialog").then((part) => part.ListDialog),
);
export const UnlistDialog = lazyPart(() =>
  import("./listing/ListDialog").then((part) => part.UnlistDialog),
);
export const ListingDialog = lazyPart(() =>
  import("./listing/ListingDialog").then((part) => part.ListingDialog),
);
export const GetPricesDialog = lazyPart(() =>
  import("./prices/GetPricesDialog").then((part) => part.GetPricesDialog),
);
export const FiguresMissing = lazyPart(() =>
  import("./prices/FiguresMissing").then((part) => part.FiguresMissing),
);
export const OldFigures = lazyPart(() =>
  import("./prices/OldFigures").then((part) => part.OldFigures),
);
export const PriceRunNotice = lazyPart(() =>
  import("./prices/PriceRunNotice").then((part) => part.PriceRunNotice),
);
