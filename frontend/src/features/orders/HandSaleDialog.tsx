import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { inventoryQueries } from "@/features/inventory/public";
import { profileQueries } from "@/features/profile/public";
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
import { conditionNames, LotName, lotNameOf } from "@/shared/ui/Lot";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import { useSellByHand } from "./mutations";

type StockRow = Schema<"InventoryItemRow">;
type Line = { row: StockRow; pieces: string; price: string };

const checkPrice = optionally(whyNotPrice);

/** A sale without a marketplace: lots from the stock, a price each, and optionally the buyer. */
export function HandSaleDialog({ onClose }: { onClose: () => void }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const buyer = useControl("");
  const [address, setAddress] = useState("");
  const shipping = useControl("");
  const [hasBuyer, setHasBuyer] = useState(false);
  const sell = useSellByHand();
  const navigate = useNavigate();
  const preferences = useSideQuery(profileQueries.preferences(), "your currency");
  const currency = preferences?.currency ?? "";

  const change = (id: number, changes: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.row.id === id ? { ...line, ...changes } : line)));
  const add = (row: StockRow) =>
    setLines((now) =>
      now.some((line) => line.row.id === row.id)
        ? now
        : [...now, { row, pieces: "1", price: row.price ?? "" }],
    );
  const problems = lines.map(({ row, pieces, price }) => ({
    pieces: whyNotWhole(pieces, 1, Math.max(row.available, 1)),
    price: checkPrice(price),
  }));
  const shippingProblem = checkPrice(shipping.value);
  const isWrong = shippingProblem || problems.some((one) => one.pieces || one.price);
  const total = isWrong
    ? null
    : lines.reduce(
        (sum, { pieces, price }) =>
          sum + wholeOf(pieces) * Number(price.trim() ? priceOf(price) : 0),
        Number(shipping.value.trim() ? priceOf(shipping.value) : 0),
      );

  const send = () =>
    sell.mutate(
      {
        lines: lines.map(({ row, pieces, price }) => ({
          item_id: row.id,
          quantity: wholeOf(pieces),
          ...(price.trim() && { price: priceOf(price) }),
        })),
        ...(buyer.value.trim() && { buyer: buyer.value.trim() }),
        ...(address.trim() && { address: address.trim() }),
        ...(shipping.value.trim() && { shipping: priceOf(shipping.value) }),
      },
      {
        onSuccess: (order) => {
          onClose();
          toast.success(`Sale ${order.number} entered`);
          void navigate(`/app/orders?order=${order.id}`);
        },
      },
    );

  return (
    <ActDialog
      onClose={onClose}
      title="Sale by hand"
      description="At a fair, to a friend: the pieces are reserved at once and picked like any order."
      size="lg"
      holdsInput={lines.length > 0 || buyer.value !== ""}
      footerStart={
        <p className="font-medium tabular-nums" role="status">
          {lines.length > 0 && total !== null && `Total ${formatTotal(total, currency)}`}
        </p>
      }
      act="Enter the sale"
      pending={sell.isPending}
      why={(lines.length === 0 && "Add a lot first") || (isWrong && "A field is wrong")}
      onAct={send}
    >
      <div className="flex flex-col gap-4">
        {sell.error && <Notice tone="danger">{problemText(sell.error)}</Notice>}
        <StockField onPick={add} />
        {lines.length > 0 && (
          <ul aria-label="Lots sold" className="flex flex-col divide-y divide-line">
            {lines.map(({ row, pieces, price }, place) => (
              <li key={row.id} className="flex flex-wrap items-start gap-2 py-2">
                <span className="min-w-0 flex-1 basis-56">
                  <LotName {...lotNameOf(row)} name={nameOf(row)} />
                </span>
                <InputField
                  label={`Pieces, of ${formatCount(row.available)}`}
                  error={problems[place]?.pieces}
                  className="w-28"
                  value={pieces}
                  inputMode="numeric"
                  onFocus={(event) => event.target.select()}
                  onChange={(text) => change(row.id, { pieces: text })}
                />
                <InputField
                  label="Price each"
                  error={problems[place]?.price}
                  className="w-28"
                  value={price}
                  inputMode="decimal"
                  onFocus={(event) => event.target.select()}
                  onChange={(text) => change(row.id, { price: text })}
                />
                <IconButton
                  label={`Remove ${row.item_number} ${row.color_name}`}
                  className="mt-5"
                  icon={<Trash2 aria-hidden="true" className="size-4" />}
                  onClick={() => setLines((now) => now.filter((line) => line.row.id !== row.id))}
                />
              </li>
            ))}
          </ul>
        )}
        {hasBuyer ? (
          <div className="grid gap-3 sm:grid-cols-2">
            <InputField label="Buyer (optional)" autoFocus maxLength={200} {...buyer} />
            <InputField
              label="Shipping (optional)"
              error={shippingProblem}
              inputMode="decimal"
              {...shipping}
            />
            <Field label="Address (optional)" className="sm:col-span-2">
              <Textarea
                rows={3}
                value={address}
                maxLength={1000}
                onChange={(event) => setAddress(event.target.value)}
              />
            </Field>
          </div>
        ) : (
          <Button variant="ghost" className="self-start" onClick={() => setHasBuyer(true)}>
            Add a buyer, an address or shipping
          </Button>
        )}
      </div>
    </ActDialog>
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
              number={`${row.item_number}, ${conditionNames[row.condition]}, ${row.location_name ?? "no bin"}`}
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
