import { counted } from "@/shared/lib/format";
import { ButtonLink } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";

/** What becomes of lots whose numbers the catalogue does not know. */
export function UnknownLots(props: {
  count: number;
  isInStock?: boolean;
  place?: "stock" | "batch";
}) {
  const { count, isInStock = false, place = "stock" } = props;
  const numbers = counted(count, "lot has a number", "lots have numbers");
  return (
    <Notice
      tone="info"
      actions={
        isInStock &&
        place === "stock" && (
          <ButtonLink size="sm" to="/app/unknown-items">
            Name them
          </ButtonLink>
        )
      }
    >
      {numbers} that the catalogue does not know.{" "}
      {isInStock
        ? `None of them is lost: they are in your ${place}, with bin and price.`
        : `None of them is lost: they come into your ${place} with bin and price, and can be named later.`}
    </Notice>
  );
}
