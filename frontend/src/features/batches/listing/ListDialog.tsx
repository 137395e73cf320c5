import { useState } from "react";
import { CallsLeft } from "@/features/marketplace/public";
import { formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Field, Select } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import type { ItemChoice } from "../operations";
import type { Stockroom } from "./model";
import { useStartListing } from "./useStartListing";

type Where = "visible" | "stockroom" | "own";

const places = [
  { value: "visible", label: "For sale" },
  { value: "stockroom", label: "Stockroom" },
  { value: "own", label: "As each lot says" },
] as const;
const stockrooms = (["A", "B", "C"] as const).map((value) => ({
  value,
  label: `Stockroom ${value}`,
}));
const words: Record<Where, string> = {
  visible: "Buyers see the lots and can buy them at once.",
  stockroom: "The lots are in the store, but buyers do not see them until you move them out.",
  own: "Lots that are marked for a stockroom go there, the others are for sale at once.",
};

/** Asks where to before items are put up for sale: what buyers have seen cannot be taken back. */
export function ListDialog(props: {
  batchId: number;
  items: ItemChoice;
  count: number;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}) {
  const { batchId, items, count, onClose, onStarted } = props;
  const [where, setWhere] = useState<Where>("visible");
  const [room, setRoom] = useState<"A" | "B" | "C">("A");
  const listing = useStartListing(batchId);
  const stockroom: Stockroom = where === "visible" ? "" : where === "own" ? null : room;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`List ${formatCount(count)} ${count === 1 ? "item" : "items"}`}
      description="What is on sale already in the same condition at the same price is topped up."
      size="sm"
      locked={listing.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            loading={listing.isPending}
            onClick={() =>
              listing.mutate(
                { kind: "list", items, stockroom },
                { onSuccess: ({ job_id }) => onStarted(job_id) },
              )
            }
          >
            List
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {listing.error && <Notice tone="danger">{problemText(listing.error)}</Notice>}
        <SegmentedControl label="Where to" value={where} onChange={setWhere} options={places} />
        {where === "stockroom" && (
          <Field label="Which stockroom">
            <Select
              value={room}
              options={stockrooms}
              onChange={(event) => setRoom(event.target.value as "A" | "B" | "C")} // its options
            />
          </Field>
        )}
        <Notice tone="info">{words[where]}</Notice>
        <CallsLeft hint="One call lists up to 50 new lots, or tops up one." />
      </div>
    </Dialog>
  );
}
