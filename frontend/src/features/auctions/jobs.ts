import { type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { formatCount } from "@/shared/lib/format";

export const auctionJobs: JobKinds = {
  "auctions.refresh_listings": {
    running: "Looking for auction listings",
    done: (job) =>
      `Listings refreshed: ${formatCount(resultNumber(job, "new"))} new, ${formatCount(resultNumber(job, "renewed"))} renewed.`,
    touches: ["auctions"],
    cancellable: true,
  },
};
