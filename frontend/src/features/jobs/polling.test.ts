import type { Job } from "./model";
import { pollAfter } from "./polling";

const job = (state: Job["state"]): Job => ({
  id: "1",
  kind: "exports.export_items",
  state,
  done: 0,
  total: null,
  message: "",
  by_name: null,
  program: "",
  failed: [],
  failed_count: 0,
  result: {},
  cancel_requested: false,
  createdAt: "",
  updatedAt: "",
  finishedAt: null,
});

describe("pollAfter", () => {
  it("begins short and grows to five seconds while nothing moves", () => {
    const waits = Array.from({ length: 8 }, (_, unchanged) => pollAfter(job("running"), unchanged));

    expect(waits).toEqual([400, 640, 1024, 1638, 2621, 4194, 5000, 5000]);
  });

  it.each(["succeeded", "failed", "cancelled"] as const)("stops once it has %s", (state) => {
    expect(pollAfter(job(state), 0)).toBe(false);
  });

  it("asks for a job that has not answered yet", () => {
    expect(pollAfter(undefined, 0)).toBe(400);
  });
});
