import { useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useState } from "react";
import { readLabelSettings } from "@/features/locations/public";
import { api } from "@/shared/api/client";
import { download, downloadMade } from "@/shared/api/download";
import { one } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import { may } from "@/shared/lib/role";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { Menu } from "@/shared/ui/Menu";
import { tellFailure } from "@/shared/ui/tellFailure";

type Kind = BodyOf<"post", "orders/papers">["kind"];

const names: Record<Kind, string> = {
  packing_slip: "Packing slip",
  address_label: "Address label",
  pick_list: "Pick list",
  tray_cards: "Tray cards A to H",
};

/** Papers as PDF: of orders, of a walk, or the cards of the trays. */
export function usePapers() {
  const [busy, setBusy] = useState<Kind | "invoice" | null>(null);
  const client = useQueryClient();
  const during = async (kind: typeof busy, act: () => Promise<void>) => {
    setBusy(kind);
    try {
      await act();
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(null);
    }
  };
  const print = (body: BodyOf<"post", "orders/papers">) =>
    during(body.kind, async () => {
      const paper =
        body.kind === "address_label" ? { layout: readLabelSettings().addressLayout } : {};
      const wanted = { ...body, ...paper } as typeof body; // a paper of the server's list
      await downloadMade("orders/papers", { body: wanted }, `${body.kind.replace("_", "-")}.pdf`);
    });
  /** Issues the invoice of orders, or finds the one that they have, and saves it. */
  const invoice = (order_ids: number[]) =>
    during("invoice", async () => {
      const { id, number } = one(await api.post("invoices", { body: { order_ids } }));
      await invalidate(client, "books");
      await download(`invoices/${id}/file`, `invoice-${number}.pdf`);
    });
  /** Issues or finds the invoice of each order, and saves them as one file. */
  const invoiceEach = (order_ids: number[]) =>
    during("invoice", async () => {
      await downloadMade("invoices/each", { body: { order_ids } }, "invoices.pdf");
      await invalidate(client, "books");
    });
  return { busy, print, invoice, invoiceEach };
}

/** What can be printed of a walk, or of orders. */
export function PapersMenu(
  props: { walk: number; orders?: never } | { orders: readonly number[]; walk?: never },
) {
  const { busy, print, invoice, invoiceEach } = usePapers();
  const orders = props.orders ?? [];
  const of = props.walk === undefined ? { order_ids: [...props.orders] } : { walk_id: props.walk };
  const kinds: Kind[] =
    props.walk === undefined
      ? ["packing_slip", "address_label", "pick_list"]
      : ["pick_list", "tray_cards", "packing_slip"];
  return (
    <Menu
      trigger={
        <Button loading={busy !== null} icon={Printer}>
          Print
        </Button>
      }
      entries={[
        ...kinds.map((kind) => ({
          id: kind,
          label: names[kind],
          run: () => void print(kind === "tray_cards" ? { kind } : { kind, ...of }),
        })),
        ...(orders.length > 0 && may("write invoices")
          ? [
              {
                id: "invoice",
                label: orders.length > 1 ? "One invoice for all" : "Invoice",
                run: () => void invoice([...orders]),
              },
            ]
          : []),
        ...(orders.length > 1 && may("write invoices/each")
          ? [
              {
                id: "invoiceEach",
                label: "An invoice each",
                run: () => void invoiceEach([...orders]),
              },
            ]
          : []),
      ]}
    />
  );
}
