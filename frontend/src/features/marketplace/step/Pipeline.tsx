import { Link } from "react-router-dom";
import { formatAgo, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { Badge } from "@/shared/ui/Badge";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { Mark } from "../channels/Marks";
import { type Channel, useChannels } from "../channels/useChannels";
import type { Schedule } from "./model";

type Done = NonNullable<NonNullable<Schedule["last"]>["counts"]["channels"]>[number];
type Row = { channel: Channel; done: Done | undefined };
type Stage = Exclude<keyof Done, "channel_id" | "why">;

/** The stages of a sync, in their order: all stores end one before the next begins. */
const STAGES: readonly { stage: Stage; header: string }[] = [
  { stage: "orders", header: "1. Orders read" },
  { stage: "taken", header: "2. Changed here" },
  { stage: "lowered", header: "3. Lowered there" },
  { stage: "removed", header: "Taken off sale" },
  { stage: "raised", header: "4. Raised there" },
  { stage: "put_up", header: "5. Put up there" },
  { stage: "changed", header: "6. Price and texts" },
  { stage: "not_sent", header: "Not sent" },
];

/** What the last sync did with each of several stores. Nothing where the person has one. */
export function Pipeline({ last }: { last: NonNullable<Schedule["last"]> }) {
  const channels = useChannels();
  if (channels.length < 2) return null;
  const rows = channels.map((channel) => ({
    channel,
    done: last.counts.channels?.find((each) => each.channel_id === channel.channel_id),
  }));
  return (
    <SimpleTable
      caption={`What the sync ${formatAgo(last.createdAt, Date.now())} did`}
      columns={columns}
      rows={rows}
      getKey={({ channel }) => channel.channel_id}
    />
  );
}

const columns: readonly SimpleColumn<Row>[] = [
  {
    header: "Store",
    grow: true,
    cell: ({ channel, done }) => (
      <span className="flex min-w-36 flex-wrap items-center gap-x-2 gap-y-1">
        <Mark of={channel} />
        {channel.marketplace_name}
        {channel.is_paused ? (
          <Badge tone="warning">paused</Badge>
        ) : (
          done?.why && <Badge tone="warning">left out</Badge>
        )}
        <Link
          className="text-accent-ink text-xs hover:underline"
          to={pathTo("inventory", { for_sale_on: `differs-${channel.channel_id}` })}
        >
          What differs
        </Link>
      </span>
    ),
  },
  ...STAGES.map(
    ({ stage, header }): SimpleColumn<Row> => ({
      header,
      align: "end",
      cell: ({ done }) =>
        done?.[stage] ? formatCount(done[stage]) : <span className="text-muted">–</span>,
    }),
  ),
];
