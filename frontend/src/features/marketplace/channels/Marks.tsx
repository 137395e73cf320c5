import type { Connection } from "../model";
import { type Channel, useChannels } from "./useChannels";

/** The letters of a store, with its name for who points at them or listens. */
export function Mark({ of }: { of: Pick<Channel, "mark" | "marketplace_name"> }) {
  return (
    <span
      role="img"
      aria-label={of.marketplace_name}
      title={of.marketplace_name}
      className="inline-flex h-4 shrink-0 items-center rounded border border-edge/70 bg-surface px-1 font-semibold text-[10px] text-muted leading-none"
    >
      {of.mark}
    </span>
  );
}

/** The marks of the stores with these ids. */
export function ChannelMarks({ ids }: { ids: readonly number[] }) {
  const channels = useChannels();
  const shown = channels.filter((each) => ids.includes(each.channel_id));
  if (shown.length === 0) return <span className="text-muted">–</span>;
  return (
    <span className="inline-flex gap-1 align-middle">
      {shown.map((each) => (
        <Mark key={each.channel_id} of={each} />
      ))}
    </span>
  );
}

/**
 * The mark of the store that something is of, by its marketplace or its id. Nothing where the person
 * has one store, or it is of none.
 */
export function ChannelMark(props: {
  marketplace?: Connection["marketplace"] | "";
  id?: number | null;
}) {
  const channels = useChannels();
  const found = channels.find(
    (each) => each.marketplace === props.marketplace || each.channel_id === props.id,
  );
  return channels.length > 1 && found ? <Mark of={found} /> : null;
}
