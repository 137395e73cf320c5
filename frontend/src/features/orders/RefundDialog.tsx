import { priceOf, whyNotPrice } from "@/shared/lib/amounts";
import { formatTotal } from "@/shared/lib/format";
import { numberText } from "@/shared/lib/numbers";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { InputField } from "@/shared/ui/Field";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { missingWorth, type Order, type OrderLine, refundable } from "./model";
import { useActOnOrder } from "./mutations";

/** Money back without pieces: a late parcel, a cracked brick. */
export function RefundDialog(props: {
  order: Order;
  lines: readonly OrderLine[];
  onClose: () => void;
  onDone: (amount: string) => void;
}) {
  const { order, lines, onClose, onDone } = props;
  const act = useActOnOrder(order.id);
  const missing = missingWorth(order, lines);
  const amount = useControl(missing > 0 ? numberText(String(missing)) : "");
  const note = useControl("");
  const most = refundable(order);
  const problem = amount.value.trim() ? whyNotRefund(amount.value, most, order.currency) : null;
  const send = () => {
    const given = priceOf(amount.value);
    const words = note.value.trim();
    act.mutate(
      { kind: "refund", body: { amount: given, ...(words && { note: words }) } },
      {
        onSuccess: () => {
          onClose();
          onDone(given);
        },
      },
    );
  };
  return (
    <ActDialog
      onClose={onClose}
      title={`Refund of order ${order.number}`}
      description="Money that you gave back where it was paid: here it is noted, and counts in reports. For pieces that came back too, use Return."
      size="sm"
      act="Note the refund"
      pending={act.isPending}
      why={problem || (!amount.value.trim() && "Enter the amount")}
      onAct={send}
    >
      <div className="flex flex-col gap-4">
        {act.error && <Notice tone="danger">{problemText(act.error)}</Notice>}
        <InputField
          label={`Amount in ${order.currency}`}
          hint={
            problem
              ? undefined
              : `${missing > 0 ? `The missing pieces brought ${formatTotal(String(missing), order.currency)}. ` : ""}At most ${formatTotal(String(most), order.currency)}.`
          }
          error={problem}
          inputMode="decimal"
          {...amount}
        />
        <InputField label="Why" hint="Shown in the order's history." maxLength={500} {...note} />
      </div>
    </ActDialog>
  );
}

/** Why so much cannot be given back, or null. The server decides: `refund_order`. */
export function whyNotRefund(text: string, most: number, currency: string): string | null {
  const wrong = whyNotPrice(text);
  if (wrong) return wrong;
  const amount = Number(priceOf(text));
  if (amount <= 0) return "More than 0.";
  return amount > most ? `At most ${formatTotal(String(most), currency)}.` : null;
}
