import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { formatCount, formatDateTime, formatMoney } from "@/shared/lib/format";
import { may } from "@/shared/lib/role";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { ErrorState } from "@/shared/ui/states";
import type { LotInChannel } from "../model";
import { marketplaceQueries } from "../queries";
import { Mark } from "./Marks";
import { useChannels } from "./useChannels";

const states: Record<LotInChannel["state"], { tone: Tone; text: string }> = {
  in_step: { tone: "success", text: "in sync" },
  to_send: { tone: "info", text: "to be sent" },
  held: { tone: "warning", text: "held back" },
  not_there: { tone: "neutral", text: "not there" },
};

/** What each store has of the lot of a row of stock. Nothing where the person has one store. */
export function LotInStores({ id }: { id: number }) {
  const isMeant = useChannels().length > 1 && may("read marketplace/channelLots/{}");
  const query = useQuery({ ...marketplaceQueries.lotInChannels(id), enabled: isMeant });
  if (!isMeant) return null;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <section aria-label="In your stores" className="mb-4">
      <ul className="divide-y divide-line rounded-card border border-line">
        {query.data?.map((line) => (
          <li key={line.channel_id} className="px-3 py-2 text-sm">
            <Line line={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ line }: { line: LotInChannel }) {
  const { tone, text } = states[line.state];
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Mark of={line} />
        <span className="font-medium">{line.marketplace_name}</span>
        <Badge tone={tone}>{text}</Badge>
        {line.quantity !== null && (
          <span
            className="ml-auto tabular-nums"
            title={line.receivedAt ? `As of ${formatDateTime(line.receivedAt)}` : undefined}
          >
            {formatCount(line.quantity)}
            {line.price === null ? " without a price" : ` at ${formatMoney(line.price)}`}
          </span>
        )}
        {line.address && (
          <a
            href={line.address}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 text-accent-ink hover:underline"
          >
            Open
            <ExternalLink aria-hidden="true" className="size-3.5" />
            <span className="sr-only">{`at ${line.marketplace_name}, in a new tab`}</span>
          </a>
        )}
      </span>
      {(line.reason || line.stockroom) && (
        <span className="block text-muted text-xs">
          {[line.reason, line.stockroom && `In stockroom ${line.stockroom}: buyers do not see it.`]
            .filter(Boolean)
            .join(" ")}
        </span>
      )}
    </>
  );
}
