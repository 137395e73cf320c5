import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorState, Loading } from "@/shared/ui/states";
import { marketplaceQueries } from "./queries";

const PriceRuleForm = lazyPart(() => import("./PriceRuleForm").then((m) => m.PriceRuleForm));

/** How prices are proposed, at the station and when a batch is priced again. */
export function PricingSettings() {
  const rule = useQuery(marketplaceQueries.priceRule());
  if (rule.isError) return <ErrorState error={rule.error} onRetry={() => rule.refetch()} />;
  if (!rule.data) return <Loading />;
  return <PriceRuleForm rule={rule.data} />;
}
