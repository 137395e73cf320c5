import { queryOne } from "@/shared/api/queries";

/** Where one stopped, how much there is, what waits. One request. */
export const homeQuery = () => queryOne(["home", "page"], "home");
