import { type JobKinds, resultNumber } from "@/shared/api/jobKinds";
import { counted } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";

export const orderJobs: JobKinds = {
  "orders.pull_orders": {
    running: "Reading the store's orders",
    done: (job) => {
      const count = resultNumber(job, "order_count") ?? 0;
      return count === 0 ? "No order changed." : `${counted(count, "order")} read.`;
    },
    isEmpty: (job) => resultNumber(job, "order_count") === 0,
    touches: ["orders", "inventory", "home"],
    link: () => ({ label: "Show", to: paths.orders }),
    cancellable: true,
  },
  "orders.tell_marketplace": {
    running: "Sending changes to the store",
    done: () => "The store has the changes.",
    touches: ["orders"],
    cancellable: false,
  },
};
