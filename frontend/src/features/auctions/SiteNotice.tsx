import { formatAgo, formatDateTime } from "@/shared/lib/format";
import { Notice } from "@/shared/ui/states";
import type { AuctionSite, SavedSearch } from "./model";

/** Where the listings come from, and how old they are. */
export function SiteNotice(props: {
  site: AuctionSite;
  searches: readonly SavedSearch[];
  now: number;
}) {
  const { site, searches, now } = props;
  if (site.haltedUntil) {
    return (
      <Notice tone="warning" title={`${site.name} is paused`}>
        Until {formatDateTime(site.haltedUntil)}: {site.halted_because}. The listings stay as they
        are.
      </Notice>
    );
  }
  return (
    <>
      <Unanswered site={site} searches={searches} now={now} />
      <p className="text-muted text-sm">
        {site.is_demo
          ? `Demo listings from a simulator of ${site.name}. Nothing here can be bought.`
          : site.is_on
            ? `Listings of ${site.name}. Its terms forbid automated use without consent; the operator switched the connection on and is responsible for it. `
            : `Not connected to ${site.name}: its terms forbid automated use without its consent. Add listings by hand, or ask the operator. `}
        {!site.is_demo && "Bids are placed at the site, never from here."}
      </p>
    </>
  );
}

/** The searches that the site did not answer, and how old what is shown is. */
function Unanswered(props: { site: AuctionSite; searches: readonly SavedSearch[]; now: number }) {
  const failed = props.searches.filter(({ is_active, problem }) => is_active && problem !== "");
  const [first] = failed;
  if (!props.site.is_on || first === undefined) return null;
  const oldest = failed.map(({ runAt }) => runAt).sort()[0];
  return (
    <Notice tone="warning" title={`${props.site.name} could not be reached`}>
      {first.problem}{" "}
      {oldest
        ? `Results of “${failed.map(({ text }) => text).join("”, “")}” are from ${formatAgo(oldest, props.now)}.`
        : "There are no earlier results."}
    </Notice>
  );
}
