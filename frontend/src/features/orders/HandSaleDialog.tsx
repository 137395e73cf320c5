import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { inventoryQueries } from "@/features/inventory/public";
import { useCurrency } from "@/features/profile/public";
import { queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { optionally, priceOf, wholeOf, whyNotPrice, whyNotWhole } from "@/shared/lib/amounts";
import { counted, formatCount, formatMoney, formatTotal } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { useDebounced } from "@/shared/lib/useDebounced";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Button, IconButton } from "@/shared/ui/Button";
import { Combobox } from "@/shared/ui/Combobox";
import { Field, InputField, Textarea } from "@/shared/ui/Field";
import { LotName, lotConditionNames, lotNameOf } from "@/shared/ui/Lot";
import { LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { useSellByHand } from "./mutations";
import { useShowOrders } from "./useOrdersPath";

type StockRow = Schema<"InventoryItemRow">;
type Line = { row: StockRow; pieces: string; price: string };

const checkPrice = optionally(whyNotPrice);

/** A sale without a marketplace: lots from the stock, a price each, and optionally the buyer. */
export function HandSaleDialog({ onClose }: { onClose: () => void }) {
  const sale = useSale();
  const { lines, change } = sale;
  const sell = useSellByHand();
  const showOrders = useShowOrders();
  const currency = useCurrency() ?? "";

  const send = () =>
    sell.mutate(sale.body(), {
      onSuccess: (order) => {
        onClose();
        toast.success(`Sale ${order.number} entered`);
        showOrders({ order: order.id });
      },
    });

  return (
    <ActDialog
      onClose={onClose}
      title="Record a sale"
      description="At a fair, to a friend: the pieces are reserved at once and picked like any order."
      size="lg"
      holdsChoice={lines.length > 0}
      footerStart={
        <p className="font-medium tabular-nums" role="status">
          {lines.length > 0 && sale.total !== null && `Total ${formatTotal(sale.total, currency)}`}
        </p>
      }
      act="Enter the sale"
      pending={sell.isPending}
      why={(lines.length === 0 && "Add a lot first") || (sale.isWrong && "A field is wrong")}
      onAct={send}
    >
      <div className="flex flex-col gap-4">
        {sell.error && <Notice tone="danger">{problemText(sell.error)}</Notice>}
        <StockField onPick={sale.add} />
        {lines.length > 0 && (
          <ul aria-label="Lots sold" className="flex flex-col divide-y divide-line">
            {lines.map((line) => (
              <SoldLot
                key={line.row.id}
                line={line}
                onChange={(changes) => change(line.row.id, changes)}
                onRemove={() => sale.remove(line.row.id)}
              />
            ))}
          </ul>
        )}
        <Buyer sale={sale} />
      </div>
    </ActDialog>
  );
}

/** What is typed of the sale. */
function useSale() {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const buyer = useControl("");
  const address = useControl("");
  const shipping = useControl("");
  const shippingProblem = checkPrice(shipping.value);
  const isWrong =
    shippingProblem !== null || lines.map(problemsOf).some(({ pieces, price }) => pieces || price);
  const amountOf = (text: string) => Number(text.trim() ? priceOf(text) : 0);
  const total = lines.reduce(
    (sum, { pieces, price }) => sum + wholeOf(pieces) * amountOf(price),
    amountOf(shipping.value),
  );
  return {
    ...{ lines, buyer, address, shipping, shippingProblem, isWrong },
    total: isWrong ? null : total,
    add: (row: StockRow) =>
      setLines((now) =>
        now.some((line) => line.row.id === row.id)
          ? now
          : [...now, { row, pieces: "1", price: row.price ?? "" }],
      ),
    change: (id: number, changes: Partial<Line>) =>
      setLines((now) => now.map((line) => (line.row.id === id ? { ...line, ...changes } : line))),
    remove: (id: number) => setLines((now) => now.filter(({ row }) => row.id !== id)),
    body: () => ({
      lines: lines.map(({ row, pieces, price }) => ({
        item_id: row.id,
        quantity: wholeOf(pieces),
        ...(price.trim() && { price: priceOf(price) }),
      })),
      ...(buyer.value.trim() && { buyer: buyer.value.trim() }),
      ...(address.value.trim() && { address: address.value.trim() }),
      ...(shipping.value.trim() && { shipping: priceOf(shipping.value) }),
    }),
  };
}

const problemsOf = ({ row, pieces, price }: Line) => ({
  pieces: whyNotWhole(pieces, 1, Math.max(row.available, 1)),
  price: row.price === null ? whyNotPrice(price) : checkPrice(price),
});

function SoldLot(props: {
  line: Line;
  onChange: (changes: Partial<Line>) => void;
  onRemove: () => void;
}) {
  const { line, onChange, onRemove } = props;
  const { row } = line;
  const problems = problemsOf(line);
  return (
    <li className="flex flex-wrap items-start gap-2 py-2">
      <span className="min-w-0 flex-1 basis-56">
        <LotName {...lotNameOf(row)} name={nameOf(row)} />
      </span>
      <InputField
        label={`Pieces, of ${formatCount(row.available)}`}
        error={problems.pieces}
        className="w-28"
        value={line.pieces}
        inputMode="numeric"
        onFocus={(event) => event.target.select()}
        onChange={(pieces) => onChange({ pieces })}
      />
      <InputField
        label="Price each"
        error={problems.price}
        className="w-28"
        value={line.price}
        inputMode="decimal"
        onFocus={(event) => event.target.select()}
        onChange={(price) => onChange({ price })}
      />
      <IconButton
        label={`Remove ${row.item_number} ${row.color_name}`}
        className="mt-5"
        icon={Trash2}
        onClick={onRemove}
      />
    </li>
  );
}

function Buyer({ sale }: { sale: ReturnType<typeof useSale> }) {
  const [isShown, setShown] = useState(false);
  if (!isShown) {
    return (
      <Button variant="ghost" className="self-start" onClick={() => setShown(true)}>
        Add a buyer, an address or shipping
      </Button>
    );
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <InputField label="Buyer (optional)" autoFocus maxLength={200} {...sale.buyer} />
      <InputField
        label="Shipping (optional)"
        error={sale.shippingProblem}
        inputMode="decimal"
        {...sale.shipping}
      />
      <Field label="Address (optional)" className="sm:col-span-2">
        <Textarea
          rows={3}
          value={sale.address.value}
          maxLength={1000}
          onChange={(event) => sale.address.onChange(event.target.value)}
        />
      </Field>
    </div>
  );
}

const nameOf = (row: StockRow) => `${row.part_name || row.item_number} ${row.color_name}`.trim();

/** Finds rows of the stock by number, name and colour: "3001 red". */
function StockField({ onPick }: { onPick: (row: StockRow) => void }) {
  const [text, setText] = useState("");
  const search = useDebounced(text.trim());
  const found = useQuery({
    ...queryRows([...inventoryQueries.lists(), "for a sale", search], "inventoryItems", {
      query: { search, page_size: 10 },
    }),
    enabled: search !== "",
  });
  const rows = search === "" ? [] : (found.data ?? []).filter(({ available }) => available > 0);
  return (
    <Field label="Lot" hint="A number, a name, a colour: 3001 red.">
      <Combobox
        autoFocus
        text={text}
        onText={setText}
        options={rows}
        getKey={(row) => String(row.id)}
        renderOption={(row) => (
          <span className="flex items-center justify-between gap-3">
            <LotName
              {...lotNameOf(row)}
              number={`${row.item_number}, ${lotConditionNames[row.condition]}, ${row.location_name ?? "no bin"}`}
              name={nameOf(row)}
            />
            <span className="shrink-0 text-right text-muted text-xs">
              {counted(row.available, "piece")}
              <br />
              {formatMoney(row.price)}
            </span>
          </span>
        )}
        onPick={(row) => {
          onPick(row);
          setText("");
        }}
        loading={found.isFetching}
        isStale={search !== text.trim() || found.isFetching}
        empty={found.error ? <LoadProblem query={found} what="Your stock" /> : "Nothing in stock"}
        placeholder="3001 red"
      />
    </Field>
  );
}
