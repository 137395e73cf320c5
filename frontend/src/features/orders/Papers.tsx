import { Printer } from "lucide-react";
import { useState } from "react";
import { readLabelSettings } from "@/features/locations/public";
import { downloadMade } from "@/shared/api/download";
import type { BodyOf } from "@/shared/api/wire";
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
  const [busy, setBusy] = useState<Kind | null>(null);
  const print = async (body: BodyOf<"post", "orders/papers">) => {
    setBusy(body.kind);
    try {
      const paper =
        body.kind === "address_label" ? { layout: readLabelSettings().addressLayout } : {};
      const wanted = { ...body, ...paper } as typeof body; // a paper of the server's list
      await downloadMade("orders/papers", { body: wanted }, `${body.kind.replace("_", "-")}.pdf`);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(null);
    }
  };
  return { busy, print };
}

/** What can be printed of a walk, or of orders. */
export function PapersMenu(
  props: { walk: number; orders?: never } | { orders: readonly number[]; walk?: never },
) {
  const { busy, print } = usePapers();
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
      entries={kinds.map((kind) => ({
        id: kind,
        label: names[kind],
        run: () => void print(kind === "tray_cards" ? { kind } : { kind, ...of }),
      }))}
    />
  );
}
