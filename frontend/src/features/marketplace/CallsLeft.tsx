import { Link } from "react-router-dom";
import { counted, formatDateTime } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { marketplaceQueries } from "./queries";

/** What is left of today's calls to the marketplace, shown where they are about to be used. */
export function CallsLeft({ hint }: { hint?: string }) {
  const data = useSideQuery(marketplaceQueries.connection(), "the calls left today");
  if (!data) return null;
  const { calls, is_demo, has_store, state } = data;
  const settings = (
    <Link to={pathTo("settings", {}, "integrations")} className="text-accent-ink underline">
      Settings, Integrations
    </Link>
  );
  if (!has_store) {
    return (
      <Notice tone="warning" title="No store is connected">
        Connect yours first: {settings}.
      </Notice>
    );
  }
  if (state === "refused") {
    return (
      <Notice tone="warning" title="The marketplace refused your secrets">
        Test or renew them first: {settings}.
      </Notice>
    );
  }
  const { left } = calls;
  const text = `${counted(left, "call")} to the ${
    is_demo ? "demo store" : "marketplace"
  } ${left === 1 ? "is" : "are"} left until ${formatDateTime(calls.resetsAt)}.`;
  return left === 0 ? (
    <Notice tone="warning" title="Today's calls are used up">
      {text}
    </Notice>
  ) : (
    <p className="text-muted text-xs">
      {text} {hint}
    </p>
  );
}
