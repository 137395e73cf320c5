import { queryOne } from "@/shared/api/queries";

export const reportQueries = {
  all: () => queryOne(["reports"], "reports"),
};
