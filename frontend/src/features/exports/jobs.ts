import { doneText, type Job, type JobKinds, resultNumber } from "@/shared/api/jobKinds";

const wroteNothing = (job: Job) => resultNumber(job, "row_count") === 0;

export const exportJobs: JobKinds = {
  "exports.export_items": {
    running: "Writing the file",
    done: (job) => doneText("The file is ready", job, "lot", "row_count"),
    isEmpty: wroteNothing,
    touches: ["exports", "batches"],
    file: (job) => {
      const id = resultNumber(job, "export_id");
      return id === null || wroteNothing(job) ? null : `exports/${id}/file`;
    },
    cancellable: true,
  },
};
