import { useAddress } from "@/shared/lib/useAddress";
import { Page, PageHeader } from "@/shared/ui/Card";
import { Settled } from "@/shared/ui/Settled";
import { Tabs } from "@/shared/ui/Tabs";
import { CallsLeft } from "./CallsLeft";
import { Listings, Syncs } from "./history/Past";
import { PullStore } from "./pull/PullStore";
import { InStep } from "./step/InStep";
import { Questions } from "./step/Questions";
import { StoreSync } from "./sync/StoreSync";
import { useHasStore } from "./useHasStore";

const TABS = ["listings", "syncs", "questions"] as const;

/** What was put up for sale and what was synced, with what came of it: `?tab=syncs` for the syncs. */
export function StorePage() {
  const [params, change] = useAddress();
  const tab = TABS.find((one) => one === params.get("tab")) ?? "listings";
  const hasStore = useHasStore();
  return (
    <Page>
      <PageHeader
        title="Store"
        description="What was listed and synced, and how it went."
        actions={
          <>
            <PullStore />
            <StoreSync label="Compare with stock" />
          </>
        }
      />
      <div className="pb-2">
        <CallsLeft />
      </div>
      <div className="pb-4">
        <InStep />
      </div>
      <Settled isKnown={hasStore !== null}>
        <Tabs
          label="History"
          value={tab}
          onChange={(chosen) => change({ tab: chosen === "listings" ? null : chosen })}
          tabs={[
            { value: "listings", label: "Listings", panel: <Listings /> },
            { value: "syncs", label: "Syncs", panel: <Syncs /> },
            { value: "questions", label: "Changed on both sides", panel: <Questions /> },
          ]}
        />
      </Settled>
    </Page>
  );
}
