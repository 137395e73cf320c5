import { Link } from "react-router-dom";
import { counted, formatDateTime } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { useChannels } from "./channels/useChannels";
import type { Connection } from "./model";
import { marketplaceQueries } from "./queries";

/** What is left of today's calls to each connected store, shown where they are about to be used. */
export function CallsLeft({ hint }: { hint?: string }) {
  const channels = useChannels();
  const stores = channels.length > 1 ? channels.map(({ marketplace }) => marketplace) : [undefined];
  return (
    <div className="flex flex-col gap-1 text-muted text-xs">
      {stores.map((at, index) => (
        <OfStore key={at ?? ""} at={at} hint={index === 0 && hint} />
      ))}
    </div>
  );
}

type StoreProps = { at: Connection["marketplace"] | undefined; hint: string | false | undefined };

/** Of one of several stores, or of the only one. */
function OfStore({ at, hint }: StoreProps) {
  const data = useSideQuery(
    at ? marketplaceQueries.connectionAt(at) : marketplaceQueries.connection(),
    "the calls left today",
  );
  if (!data) return null;
  const { calls, has_store, marketplace_name: name, state } = data;
  const [title, act] = !has_store
    ? ["No store is connected", "Connect yours"]
    : state === "refused"
      ? [`${name} refused your secrets`, "Test or renew them"]
      : [];
  if (title) {
    return (
      <Notice tone="warning" title={title}>
        {act} first:{" "}
        <Link to={pathTo("settings", {}, "integrations")} className="text-accent-ink underline">
          Settings, Integrations
        </Link>
        .
      </Notice>
    );
  }
  const { left } = calls;
  const text = `${name}: ${counted(left, "call")} ${left === 1 ? "is" : "are"} left until ${formatDateTime(calls.resetsAt)}.`;
  return left === 0 ? (
    <Notice tone="warning" title="Today's calls are used up">
      {text}
    </Notice>
  ) : (
    <p>
      {text} {hint}
    </p>
  );
}
