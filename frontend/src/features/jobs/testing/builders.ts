import type { Job } from "../model";

/** A running job; name what matters. */
export function aJob(values: Partial<Job> = {}): Job {
  return {
    id: "7f0c9d7e-0000-4000-8000-000000000001",
    kind: "exports.export_items",
    state: "running",
    done: 40,
    total: 100,
    message: "Writing the lots",
    by_name: null,
    program: "",
    failed: [],
    failed_count: 0,
    result: {},
    cancel_requested: false,
    createdAt: "2026-01-02T03:04:05Z",
    updatedAt: "2026-01-02T03:04:05Z",
    finishedAt: null,
    ...values,
  };
}
