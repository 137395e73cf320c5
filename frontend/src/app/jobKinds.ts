import { auctionJobs } from "@/features/auctions/jobs";
import { backupJobs } from "@/features/backups/jobs";
import { batchJobs } from "@/features/batches/jobs";
import { catalogJobs } from "@/features/catalog/jobs";
import { exportJobs } from "@/features/exports/jobs";
import { inventoryJobs } from "@/features/inventory/jobs";
import { marketplaceJobs } from "@/features/marketplace/jobs";
import { orderJobs } from "@/features/orders/jobs";
import { setJobs } from "@/features/sets/jobs";
import type { JobKinds } from "@/shared/api/jobKinds";

/** What main.tsx registers. */
export const jobKinds: readonly JobKinds[] = [
  auctionJobs,
  backupJobs,
  batchJobs,
  catalogJobs,
  exportJobs,
  inventoryJobs,
  marketplaceJobs,
  orderJobs,
  setJobs,
];
