import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import type { PricesOf } from "./model";
import { useGetPrices } from "./useGetPrices";

/** Why a price rule leaves rows as they are, with the way to change that. */
export function FiguresMissing({ count, of }: { count: number; of: PricesOf }) {
  const get = useGetPrices();
  if (count === 0) return null;
  return (
    <Notice tone="info" title={`The market figures of ${counted(count, "row")} are missing`}>
      <p>Your price rule needs them; until then these rows stay as they are.</p>
      <div className="mt-2">
        <Button
          size="sm"
          loading={get.isPending}
          disabledReason={get.isSuccess && "Being fetched"}
          onClick={() => get.mutate(of)}
        >
          Get prices
        </Button>
      </div>
    </Notice>
  );
}
