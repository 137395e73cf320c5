/** One act of listing as the server sends it; `id` is its job's. */

import type { Schema } from "@/shared/api/wire";

export type ListingRun = Schema<"ListingRunRow">;
