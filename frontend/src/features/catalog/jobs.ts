import { type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { counted } from "@/shared/lib/format";
import { STOCK } from "@/shared/lib/tags";

export const catalogJobs: JobKinds = {
  "catalog.import_files": {
    running: "Importing files of the catalogue",
    done: (job) => `${counted(resultNumber(job, "written") ?? 0, "row")} of the catalogue written.`,
    touches: ["catalog", ...STOCK],
    cancellable: true,
  },
};
