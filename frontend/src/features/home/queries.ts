import { queryOne } from "@/shared/api/queries";

export const homeQueries = {
  home: () => queryOne(["home", "page"], "home"),
};
