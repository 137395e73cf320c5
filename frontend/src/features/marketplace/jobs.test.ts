import { aJob } from "@/features/jobs/testing/builders";
import { kindOf, registerJobKinds } from "@/shared/api/jobKinds";
import { marketplaceJobs } from "./jobs";

registerJobKinds(marketplaceJobs);

const leadsTo = (kind: string, result: Record<string, unknown>) => {
  const job = aJob({ kind, result });
  return kindOf(job).link?.(job)?.to;
};

describe("the toast of a sync with the store", () => {
  it.each(["batches.plan_store_sync", "batches.apply_store_sync"])(
    "leads to what %s made: beside its batch, else beside all syncs",
    (kind) => {
      expect(leadsTo(kind, { sync_id: 5, batch_id: 12 })).toBe("/app/batches?batch=12&storeSync=5");
      expect(leadsTo(kind, { sync_id: 5, batch_id: null })).toBe(
        "/app/store?tab=syncs&storeSync=5",
      );
    },
  );
});

describe("the toast of a sync now", () => {
  const told = (result: Record<string, unknown>) => {
    const job = aJob({ kind: "listings.sync_store", result });
    return kindOf(job).done(job);
  };

  it("tells what was sent and what changed here", () => {
    expect(told({ sent: 3, changed: 1, zeroed: 1, orders: 1 })).toBe(
      "Stock and store are synced: 3 sent, 1 order, 2 changed here.",
    );
  });

  it("tells of lots of batches that the store has", () => {
    expect(told({ uploaded: 2 })).toBe(
      "Stock and store are synced: 2 of batches marked as listed.",
    );
  });

  it("says so where nothing differed", () => {
    expect(told({ sent: 0, changed: 0 })).toBe("Stock and store agree already.");
  });
});
