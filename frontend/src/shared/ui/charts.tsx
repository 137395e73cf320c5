/** Charts, with the library that draws them in a chunk of its own. */
import { lazyPart } from "./lazyPart";

export const LineChart = lazyPart(() =>
  import(/* webpackChunkName: "charts" */ "./chart/LineChart").then((m) => m.LineChart),
);
export const DotChart = lazyPart(() =>
  import(/* webpackChunkName: "charts" */ "./chart/DotChart").then((m) => m.DotChart),
);
