import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { InputField } from "@/shared/ui/Field";
import { useControl } from "@/shared/ui/useControl";

/** Asks for one price for many items. */
export function PriceDialog(props: {
  count: number;
  onClose: () => void;
  onPrice: (price: string) => void;
}) {
  const { count, onClose, onPrice } = props;
  const text = useControl("");
  const problem = whyNotPrice(text.value);
  return (
    <ActDialog
      onClose={onClose}
      title={`Price of ${counted(count, "lot")}`}
      size="sm"
      act="Set price"
      why={problem}
      onAct={() => onPrice(priceOf(text.value))}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) onPrice(priceOf(text.value));
        }}
      >
        <InputField
          label="Price of one piece"
          error={text.value !== "" && problem}
          numeric
          autoFocus
          {...text}
          placeholder="0.12"
        />
      </form>
    </ActDialog>
  );
}
