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
      <Notice tone="warning" title={`${site.name} is not asked now`}>
        Until {formatDateTime(site.haltedUntil)}: {site.halted_because}. The listings stay as they
        are.
      </Notice>
    );
  }
  return (
    <>
      <Unanswered site={site} searches={searches} now={now} />
      {site.is_demo ? (
        <Notice tone="info" title="Demo listings">
          These come from a simulator of {site.name} that runs beside this app. Nothing here can be
          bought.
        </Notice>
      ) : site.is_on ? (
        <Notice tone="warning" title={`This installation calls ${site.name}`}>
          The site’s terms forbid automated use without its written consent: the operator switched
          the connection on and is responsible for it. Calls are slow, one after the other.
        </Notice>
      ) : (
        <Notice tone="info" title={`${site.name} is not asked by this installation`}>
          The site’s terms forbid automated use without its consent. Type listings in, or ask the
          operator, who may switch the connection on.
        </Notice>
      )}
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
        : "Nothing was found before."}
    </Notice>
  );
}
