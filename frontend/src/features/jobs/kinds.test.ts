import { jobKinds } from "./kinds";
import { aJob } from "./testing/builders";

const leadsTo = (kind: string, result: Record<string, unknown>) =>
  jobKinds[kind]?.link?.(aJob({ kind, result }))?.to;

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
