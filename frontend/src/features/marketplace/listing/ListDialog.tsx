import { useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ChoiceField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import { CallsLeft } from "../CallsLeft";
import type { ListingAct, Stockroom } from "./model";
import { counted } from "./rules";

type Where = "visible" | "stockroom" | "own";
type Room = "A" | "B" | "C";

const places = { visible: "For sale", stockroom: "Stockroom", own: "As each lot says" };
const rooms = (["A", "B", "C"] as const).map((value) => ({ value, label: `Stockroom ${value}` }));
const words: Record<Where, string> = {
  visible: "Buyers see the lots and can buy them at once.",
  stockroom: "The lots are in the store, but buyers do not see them until you move them out.",
  own: "Lots that are marked for a stockroom go there, the others are for sale at once.",
};

type Asked = {
  act: Exclude<ListingAct, "unlist">;
  count: number;
  description: string;
  pending: boolean;
  error: unknown;
  onClose: () => void;
};

/** Asks where to before anything is put up for sale: what buyers have seen cannot be taken back. */
export function ListDialog(props: Asked & { onList: (stockroom: Stockroom) => void }) {
  const { act, count, description, pending, error, onClose, onList } = props;
  const where = useControl<Where>("visible");
  const [room, setRoom] = useState<Room>("A");
  const stockroom: Stockroom = where.value === "visible" ? "" : where.value === "own" ? null : room;
  return (
    <ActDialog
      onClose={onClose}
      title={`List ${counted(act, count)}`}
      description={description}
      size="sm"
      act="List"
      pending={pending}
      onAct={() => onList(stockroom)}
    >
      <div className="flex flex-col gap-4">
        {error ? <Notice tone="danger">{problemText(error)}</Notice> : null}
        <SegmentedControl label="Where to" {...where} options={places} />
        {where.value === "stockroom" && <RoomField room={room} onRoom={setRoom} />}
        <Notice tone="info">{words[where.value]}</Notice>
        <CallsLeft hint="One call lists up to 50 new lots, or tops up one." />
      </div>
    </ActDialog>
  );
}

/** Asks into which stockroom: nothing is deleted, and listing brings the same lots back. */
export function UnlistDialog(
  props: Omit<Asked, "act" | "description"> & { onUnlist: (stockroom: Room) => void },
) {
  const { count, pending, error, onClose, onUnlist } = props;
  const [room, setRoom] = useState<Room>("A");
  return (
    <ActDialog
      onClose={onClose}
      title={`Take ${counted("unlist", count)} off sale`}
      description="Their lots go into a stockroom of your store, where buyers do not see them."
      size="sm"
      act="Unlist"
      pending={pending}
      onAct={() => onUnlist(room)}
    >
      <div className="flex flex-col gap-4">
        {error ? <Notice tone="danger">{problemText(error)}</Notice> : null}
        <RoomField room={room} onRoom={setRoom} />
        <Notice tone="info">
          Lot numbers, prices and texts are kept: List puts the same lots back on sale. A lot in
          several bins is listed as a whole.
        </Notice>
        <CallsLeft hint="Each lot takes one call." />
      </div>
    </ActDialog>
  );
}

function RoomField({ room, onRoom }: { room: Room; onRoom: (room: Room) => void }) {
  return <ChoiceField label="Which stockroom" value={room} options={rooms} onChange={onRoom} />;
}
