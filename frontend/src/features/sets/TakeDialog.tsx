import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ColorName, conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { SimpleTable } from "@/shared/ui/SimpleTable";
import { Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import type { SetPart, UserSet } from "./model";
import { useTake, useUndoTake } from "./mutations";
import { setQueries } from "./queries";
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
  const [condition, setCondition] = useState<Which>("");
  const body = {
    ...(condition !== "" && { condition }),
    ...(parts && {
      parts: parts.map((part) => ({
        id: part.id,
        quantity: Math.min(part.quantity_missing, part.in_stock),
      })),
    }),
  };
  const plan = useQuery(setQueries.takePlan(set.id, body));
  const take = useTake();
  const undo = useUndoTake();
  const found = plan.data;

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
    <ActDialog
      onClose={onClose}
      title="Take from stock"
      description={`${set.number} ${set.name}: what it lacks and your bins hold.`}
      size="lg"
      act={found && found.pieces > 0 ? `Take ${pieces(found.pieces)}` : "Take"}
      pending={take.isPending}
      why={!found ? "Wait for the list" : found.pieces === 0 && "Nothing that it lacks is in stock"}
      onAct={go}
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl<Which>
          label="Condition"
          value={condition}
          onChange={setCondition}
          options={[
            { value: "", label: "New and used" },
            { value: "N", label: "New" },
            { value: "U", label: "Used" },
          ]}
        />
        {plan.error ? (
          <Notice tone="danger">{problemText(plan.error)}</Notice>
        ) : !found ? (
          <Loading label="Looking through your bins" />
        ) : found.pieces === 0 ? (
          <p role="status">Nothing that it lacks is in stock.</p>
        ) : (
          <>
            <p role="status" className="font-medium">
              {pieces(found.pieces)} from {found.pick_count}{" "}
              {found.pick_count === 1 ? "row" : "rows"} of stock
              {found.still_missing > 0 && `; ${pieces(found.still_missing)} stay missing`}
            </p>
            <SimpleTable
              caption="What is taken, by location"
              rows={found.picks}
              getKey={(pick, place) => `${pick.part_id} ${place}`}
              columns={[
                { header: "Location", cell: (pick) => pick.location_name || "–" },
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
            {found.picks.length < found.pick_count && (
              <p className="text-muted text-xs">The first {found.picks.length} are shown.</p>
            )}
          </>
        )}
      </div>
    </ActDialog>
  );
}
