import { type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { formatCount } from "@/shared/lib/format";

export const setJobs: JobKinds = {
  "sets.find_buildable": {
    running: "Comparing sets with your stock",
    done: (job) => `${formatCount(resultNumber(job, "sets"))} sets found.`,
    touches: ["buildSearches"],
    link: () => ({ label: "Show", to: "/app/userSets?build=1" }),
    cancellable: true,
  },
};
