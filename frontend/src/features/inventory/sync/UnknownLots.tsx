import { counted } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { ButtonLink } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import type { SyncCounts } from "./model";

function unknownWords(
  count: number,
  { unknown, unknown_conditions: conditions }: Pick<SyncCounts, "unknown" | "unknown_conditions">,
): string {
  if (conditions === unknown)
    return `${counted(count, "lot has a condition that was", "lots have conditions that were")} not understood`;
  const numbers = counted(count, "lot has a number", "lots have numbers");
  const either = conditions > 0 ? ", or a condition that was not understood" : "";
  return `${numbers} that the catalogue does not know${either}`;
}

/** What becomes of lots that the catalogue does not know, or whose condition was not understood. */
export function UnknownLots(props: {
  counts: Pick<SyncCounts, "unknown" | "unknown_conditions">;
  count: number;
  isInStock?: boolean;
  place?: "stock" | "batch";
  /** Whether what is left to decide, below, leads to their names already. */
  isListed?: boolean;
}) {
  const { counts, count, isInStock = false, place = "stock", isListed = false } = props;
  return (
    <Notice
      tone="info"
      actions={
        isInStock &&
        !isListed && (
          <ButtonLink size="sm" to={paths.unknownItems}>
            Name them
          </ButtonLink>
        )
      }
    >
      {unknownWords(count, counts)}.{" "}
      {isInStock
        ? `None of them is lost: they are in your ${place}, with bin and price.`
        : `None of them is lost: they come into your ${place} with bin and price, and can be named later.`}
    </Notice>
  );
}
