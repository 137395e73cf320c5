import { useQuery } from "@tanstack/react-query";
import { lazyPart } from "@/shared/ui/lazyPart";
import { Loaded } from "@/shared/ui/states";
import { marketplaceQueries } from "./queries";

const PriceRuleForm = lazyPart(() => import("./PriceRuleForm").then((m) => m.PriceRuleForm));

/** How prices are proposed, at the station and when a batch is priced again. */
export function PricingSettings() {
  const rule = useQuery(marketplaceQueries.priceRule());
  return <Loaded query={rule}>{(read) => <PriceRuleForm rule={read} />}</Loaded>;
}
