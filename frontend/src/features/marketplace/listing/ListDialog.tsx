import { useState } from "react";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Field, Select } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { CallsLeft } from "../CallsLeft";
import type { ListingAct, Stockroom } from "./model";
import { counted } from "./rules";

type Where = "visible" | "stockroom" | "own";
type Room = "A" | "B" | "C";

const places = [
  { value: "visible", label: "For sale" },
  { value: "stockroom", label: "Stockroom" },
  { value: "own", label: "As each lot says" },
] as const;
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
  const [where, setWhere] = useState<Where>("visible");
  const [room, setRoom] = useState<Room>("A");
  const stockroom: Stockroom = where === "visible" ? "" : where === "own" ? null : room;
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
        <SegmentedControl label="Where to" value={where} onChange={setWhere} options={places} />
        {where === "stockroom" && <RoomField room={room} onRoom={setRoom} />}
        <Notice tone="info">{words[where]}</Notice>
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
  return (
    <Field label="Which stockroom">
      <Select
        value={room}
        options={rooms}
        onChange={(event) => onRoom(event.target.value as Room)} // its options
      />
    </Field>
  );
}
