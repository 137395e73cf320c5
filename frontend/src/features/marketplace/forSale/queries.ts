import { useMutation } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryOne, queryRows } from "@/shared/api/queries";
import type { BodyOf, Schema } from "@/shared/api/wire";
import type { Connection } from "../model";

export type SaleRule = Schema<"SaleRuleRow">;
export type SaleRuleBody = BodyOf<"put", "marketplace/saleRule">;
export type At = Connection["marketplace"];

const FOUND = 20;

export const forSaleQueries = {
  rule: (marketplace: At) =>
    queryOne(["marketplace", "saleRule", marketplace], "marketplace/saleRule", {
      query: { marketplace },
    }),
  found: (search: string) =>
    queryRows(["catalog", "categories", "found", search], "categories", {
      query: { search, page_size: FOUND, ordering: "path" },
    }),
  chosen: (ids: readonly number[]) => ({
    ...queryRows(["catalog", "categories", "chosen", ids], "categories", {
      query: { id: [...ids], page_size: 500 },
    }),
    enabled: ids.length > 0,
  }),
};

export const previewRule = async (marketplace: At, body: SaleRuleBody, signal: AbortSignal) =>
  one(await api.ask("marketplace/saleRule/preview", { body, query: { marketplace }, signal }));

export function useSaveRule(marketplace: At) {
  return useMutation({
    meta: { stale: ["marketplace", "inventory", "home"] },
    mutationFn: async (body: SaleRuleBody) =>
      one(await api.put("marketplace/saleRule", { body, query: { marketplace } })),
  });
}

/** A rule as it is stored, to be stored again. */
export const bodyOf = (rule: SaleRule): SaleRuleBody => ({
  left_out_types: rule.left_out_types as SaleRuleBody["left_out_types"],
  left_out_categories: rule.left_out_categories,
  left_out_stockrooms: rule.left_out_stockrooms as SaleRuleBody["left_out_stockrooms"],
  left_out_marker: rule.left_out_marker,
  least_value: rule.least_value,
  most_value: rule.most_value,
  least_pieces: rule.least_pieces,
  keep_back: rule.keep_back,
  percent: rule.percent,
  currency: rule.currency as SaleRuleBody["currency"],
  rate: rule.rate,
  rounding: rule.rounding as SaleRuleBody["rounding"],
});
