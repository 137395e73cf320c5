import { queryOne } from "@/shared/api/queries";
import { browserZone } from "@/shared/lib/format";

/** Where one stopped, how much there is, what waits. One request. */
export const homeQuery = () =>
  queryOne(["home", "page"], "home", { filters: { time_zone: browserZone() } });
