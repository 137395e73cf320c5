import { useSearchParams } from "react-router-dom";
import { ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Tabs } from "@/shared/ui/Tabs";
import { CallsLeft } from "./CallsLeft";
import { Listings } from "./history/Listings";
import { Syncs } from "./history/Syncs";
import { PullStore } from "./pull/PullStore";
import { StoreSync } from "./sync/StoreSync";

/** What was put up for sale and what was synced, with what came of it: `?tab=syncs` for the syncs. */
export function StorePage() {
  const [params, setParams] = useSearchParams();
  const tab = params.get("tab") === "syncs" ? "syncs" : "listings";
  return (
    <Page>
      <PageHeader
        title="Store"
        description="Every listing and every sync with the marketplace, and what came of it."
        actions={
          <>
            <PullStore />
            <StoreSync />
            <ButtonLink to="/app/orders">Orders</ButtonLink>
            <ButtonLink to="/app/settings">Settings</ButtonLink>
          </>
        }
      />
      <div className="pb-2">
        <CallsLeft />
      </div>
      <Tabs
        label="History"
        value={tab}
        onChange={(chosen) =>
          setParams((current) => {
            const next = new URLSearchParams(current);
            if (chosen === "syncs") next.set("tab", chosen);
            else next.delete("tab");
            return next;
          })
        }
        tabs={[
          { value: "listings", label: "Listings", panel: <Listings /> },
          { value: "syncs", label: "Syncs", panel: <Syncs /> },
        ]}
      />
    </Page>
  );
}
