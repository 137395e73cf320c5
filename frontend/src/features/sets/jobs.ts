import { type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { counted } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";

export const setJobs: JobKinds = {
  "sets.find_buildable": {
    running: "Comparing sets with your stock",
    done: (job) => `${counted(resultNumber(job, "sets") ?? 0, "set")} found.`,
    touches: ["buildSearches"],
    link: () => ({ label: "Show", to: pathTo("sets", { build: 1 }) }),
    cancellable: true,
  },
};
