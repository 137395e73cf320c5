import { useState } from "react";
import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { counted } from "@/shared/lib/format";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Field, Input } from "@/shared/ui/Field";

/** Asks for one price for many items. */
export function PriceDialog(props: {
  count: number;
  onClose: () => void;
  onPrice: (price: string) => void;
}) {
  const { count, onClose, onPrice } = props;
  const [text, setText] = useState("");
  const problem = whyNotPrice(text);
  return (
    <ActDialog
      onClose={onClose}
      title={`Price of ${counted(count, "lot")}`}
      size="sm"
      act="Set price"
      why={problem}
      onAct={() => onPrice(priceOf(text))}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!problem) onPrice(priceOf(text));
        }}
      >
        <Field label="Price of one piece" error={text !== "" && problem}>
          <Input
            numeric
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="0.12"
          />
        </Field>
      </form>
    </ActDialog>
  );
}
