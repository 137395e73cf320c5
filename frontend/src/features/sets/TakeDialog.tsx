import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import type { Schema } from "@/shared/api/wire";
import { PreviewedActDialog } from "@/shared/form/PreviewedActDialog";
import { usePreview } from "@/shared/form/usePreview";
import { counted } from "@/shared/lib/format";
import { ColorName, conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { toast } from "@/shared/ui/toast";
import { useControl } from "@/shared/ui/useControl";
import type { SetPart, UserSet } from "./model";
import { useTake, useUndoTake } from "./mutations";
import { pieces } from "./rules";

type Which = "" | "N" | "U";

/** Takes parts from stock for a set: lists their locations, then takes them, with an undo. */
export function TakeDialog(props: {
  set: UserSet;
  /** Only these; else all that is missing. */
  parts?: readonly SetPart[];
  onClose: () => void;
}) {
  const { set, parts, onClose } = props;
  const condition = useControl<Which>("");
  const body = {
    ...(condition.value !== "" && { condition: condition.value }),
    ...(parts && {
      parts: parts.map((part) => ({
        id: part.id,
        quantity: Math.min(part.quantity_missing, part.in_stock),
      })),
    }),
  };
  const preview = usePreview(["take", set.id], body, async (asked, signal) =>
    one(
      await api.ask("userSets/{id}/take", {
        path: { id: set.id },
        body: { ...asked, dry_run: true },
        signal,
      }),
    ),
  );
  const take = useTake();
  const undo = useUndoTake();
  const found = preview.result;

  const takeBack = (takeId: number) =>
    undo.mutate(
      { id: set.id, takeId },
      {
        onSuccess: () => toast.success("Put back"),
      },
    );
  const go = () =>
    take.mutate(
      { id: set.id, body },
      {
        onSuccess: (done) => {
          const { take_id: id } = done;
          toast.success(`${pieces(done.pieces)} taken for ${set.number}`, {
            ...(id !== null && { action: { label: "Undo", run: () => takeBack(id) } }),
          });
          onClose();
        },
      },
    );

  return (
    <PreviewedActDialog
      onClose={onClose}
      title="Take from stock"
      description={`${set.number} ${set.name}: what it lacks and your bins hold.`}
      size="lg"
      act={found && found.pieces > 0 ? `Take ${pieces(found.pieces)}` : "Take"}
      pending={take.isPending}
      onAct={go}
      preview={preview}
      idle={(plan) => plan.pieces === 0 && "Nothing that it lacks is in stock"}
      loading="Looking through your bins"
      show={(plan) => <Picks plan={plan} />}
    >
      <SegmentedControl<Which>
        label="Condition"
        {...condition}
        options={{ "": "New and used", N: "New", U: "Used" }}
      />
    </PreviewedActDialog>
  );
}

function Picks({ plan }: { plan: Schema<"TakeRow"> }) {
  if (plan.pieces === 0) return <p role="status">Nothing that it lacks is in stock.</p>;
  return (
    <>
      <p role="status" className="font-medium">
        {pieces(plan.pieces)} from {counted(plan.pick_count, "row")} of stock
        {plan.still_missing > 0 && `; ${pieces(plan.still_missing)} stay missing`}
      </p>
      <SimpleTable
        caption="What is taken, by bin"
        rows={plan.picks}
        getKey={(pick, place) => `${pick.part_id} ${place}`}
        columns={[
          { header: "Bin", cell: (pick) => pick.location_name || "–" },
          {
            header: "Part",
            grow: true,
            cell: (pick) => `${pick.item_name} (${pick.item_number})`,
          },
          {
            header: "Colour",
            cell: (pick) => <ColorName name={pick.color_name} html={pick.color_html} />,
          },
          { header: "Cond.", cell: (pick) => conditionNames[pick.condition] },
          { header: "Qty", align: "end", cell: (pick) => pick.quantity },
        ]}
      />
      {plan.picks.length < plan.pick_count && (
        <p className="text-muted text-xs">The first {plan.picks.length} are shown.</p>
      )}
    </>
  );
}
