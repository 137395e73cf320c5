/** Charts, with the library that draws them in a chunk of its own. */
import { lazyPart } from "./lazyPart";

export const LineChart = lazyPart(() =>
  import(/* webpackChunkName: "charts" */ "./chart/LineChart").then((module) => module.LineChart),
);
export const DotChart = lazyPart(() =>
  import(/* webpackChunkName: "charts" */ "./chart/DotChart").then((module) => module.DotChart),
);
