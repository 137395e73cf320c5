import { useState } from "react";
import { LocationPicker, OverLimit, usePickedLocation } from "@/features/locations/public";
import { ApiError } from "@/shared/api/errors";
import { priceOf, wholeOf, whyNotWhole } from "@/shared/lib/amounts";
import { counted, formatCount, formatTotal } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button } from "@/shared/ui/Button";
import { InputField } from "@/shared/ui/Field";
import { LotName, lotNameOf } from "@/shared/ui/Lot";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { type Order, type OrderLine, refundable } from "./model";
import { useActOnOrder } from "./mutations";
import { whyNotRefund } from "./RefundDialog";

/** What came back, lot by lot: into the bins it came from, or into one of the person's choice. */
export function ReturnDialog(props: {
  order: Order;
  lines: readonly OrderLine[];
  onClose: () => void;
}) {
  const { order, lines, onClose } = props;
  const act = useActOnOrder(order.id);
  const bin = usePickedLocation(null);
  const back = useBack(lines);
  const { open, pieces } = back;
  const [reason, setReason] = useState("");
  const money = useControl("");
  const moneyProblem =
    money.value.trim() && Number(priceOf(money.value)) !== 0
      ? whyNotRefund(money.value, refundable(order), order.currency)
      : null;
  const refusal =
    act.error instanceof ApiError && act.error.code === "CAPACITY_EXCEEDED" ? act.error : null;

  const send = () => {
    if (!bin.isFit()) return;
    act.mutate(
      {
        kind: "return",
        body: {
          lines: back.chosen,
          ...(bin.value && { location_id: bin.value.id }),
          ...(money.value.trim() && { refund: priceOf(money.value) }),
          ...(refusal && reason.trim() && { override_reason: reason.trim() }),
        },
      },
      {
        onSuccess: () => {
          onClose();
          toast.success(
            `${counted(pieces, "piece")} back in ${bin.value ? bin.value.name : "the bins they came from"}`,
          );
        },
      },
    );
  };

  return (
    <ActDialog
      onClose={onClose}
      title={`Return of order ${order.number}`}
      description="Enter what came back. What stays with the buyer stays sold."
      size="lg"
      holdsChoice={pieces > 0 || bin.value !== null}
      footerStart={<Button onClick={back.takeAll}>Everything</Button>}
      act={<>Put {counted(pieces, "piece")} back</>}
      pending={act.isPending}
      why={
        (back.problems.size > 0 && "A count is wrong") ||
        moneyProblem ||
        (pieces === 0 && "Enter how many pieces came back")
      }
      onAct={send}
    >
      <div className="flex flex-col gap-4">
        {refusal ? (
          <OverLimit refusal={refusal} reason={reason} onReason={setReason} />
        ) : (
          act.error && <Notice tone="danger">{problemText(act.error)}</Notice>
        )}
        <ul aria-label="Lots of the order" className="flex flex-col gap-3">
          {open.map((line) => (
            <BackLine key={line.id} line={line} back={back} />
          ))}
        </ul>
        <InputField
          label={`Money back, in ${order.currency}`}
          hint={`Left empty: none was given back. These pieces brought ${formatTotal(String(back.worth), order.currency)}.`}
          error={moneyProblem}
          className="max-w-xs"
          inputMode="decimal"
          {...money}
        />
        <LocationPicker
          label="Into"
          hint="Left empty: the bins they came from."
          canCreate
          {...bin.field}
        />
      </div>
    </ActDialog>
  );
}

const mostOf = (line: OrderLine) => line.picked - line.returned;

/** How many pieces of each line came back, as it is typed. */
function useBack(lines: readonly OrderLine[]) {
  const open = lines.filter((line) => line.picked > line.returned);
  const [typed, setTyped] = useState<ReadonlyMap<number, string>>(new Map());
  const textOf = (line: OrderLine) => typed.get(line.id) ?? "0";
  const problems = new Map(
    open.flatMap((line) => {
      const problem = whyNotWhole(textOf(line), 0, mostOf(line));
      return problem ? [[line.id, problem] as const] : [];
    }),
  );
  const chosen = open.flatMap((line) => {
    const quantity = problems.has(line.id) ? 0 : wholeOf(textOf(line));
    return quantity > 0 ? [{ line_id: line.id, quantity }] : [];
  });
  const prices = new Map(open.map(({ id, price }) => [id, Number(price)]));
  return {
    ...{ open, textOf, problems, chosen },
    pieces: chosen.reduce((sum, { quantity }) => sum + quantity, 0),
    worth: chosen.reduce(
      (sum, { line_id, quantity }) => sum + quantity * (prices.get(line_id) ?? 0),
      0,
    ),
    type: (line: OrderLine, text: string) => setTyped((now) => new Map(now).set(line.id, text)),
    takeAll: () => setTyped(new Map(open.map((line) => [line.id, String(mostOf(line))]))),
  };
}

function BackLine({ line, back }: { line: OrderLine; back: ReturnType<typeof useBack> }) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-2">
      <span className="min-w-0 flex-1 basis-52">
        <LotName
          {...lotNameOf(line)}
          name={`${line.item_name} ${line.color_name}`.trim()}
          isKnown={line.lot_id !== null}
        />
      </span>
      <InputField
        label={`Back, of ${formatCount(mostOf(line))}`}
        error={back.problems.get(line.id)}
        className="w-32"
        aria-label={`${line.item_number} ${line.color_name}: pieces back, of ${mostOf(line)}`}
        value={back.textOf(line)}
        inputMode="numeric"
        onFocus={(event) => event.target.select()}
        onChange={(text) => back.type(line, text)}
      />
    </li>
  );
}
