import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type BatchChoice, batchPickQueries, useCreateBatch } from "@/features/catalog/public";
import { locationQueries, useCreateByPattern } from "@/features/locations/public";
import { formatDate } from "@/shared/lib/format";
import { useSideQuery } from "@/shared/ui/sideQuery";

/** As many as a small cabinet has. */
const DRAWERS = "24";
const MOST_DRAWERS = 500;

export type FirstSitting = {
  /** There is no batch to add to, and nothing that says why. */
  needed: boolean;
  needsBins: boolean;
  name: string;
  setName: (name: string) => void;
  drawers: string;
  setDrawers: (drawers: string) => void;
  /** The names of the bins: "A-01 to A-24". */
  binsText: string;
  /** The bin that the first part goes into; null where none is made. */
  firstBin: string | null;
  making: boolean;
  error: unknown;
  /** Makes both, once. */
  make: () => void;
};

/** What a first sitting lacks: a batch, and bins where there are none. Enter on a part makes it. */
export function useFirstSitting(batches: BatchChoice): FirstSitting {
  const client = useQueryClient();
  const needed = !batches.batch && !batches.loading && !batches.error && !batches.refusal;
  const bins = useSideQuery({ ...locationQueries.pick(""), enabled: needed }, "your bins");
  const [name, setName] = useState(() => `Sorting ${formatDate(new Date().toISOString())}`);
  const [drawers, setDrawers] = useState(DRAWERS);
  const batch = useCreateBatch();
  const pattern = useCreateByPattern();
  const [making, setMaking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const count = Math.min(MOST_DRAWERS, Number(drawers));
  const last = String(count).padStart(2, "0");
  const first = "1".padStart(last.length, "0");
  const needsBins = needed && bins?.length === 0;

  const make = async () => {
    setMaking(true);
    setError(null);
    try {
      // Another tab may have made them since this one asked.
      const open = needed
        ? await client.fetchQuery({ ...batchPickQueries.pick(""), staleTime: 0 })
        : [];
      const there = needed
        ? await client.fetchQuery({ ...locationQueries.pick(""), staleTime: 0 })
        : bins;
      if (there?.length === 0 && count > 0) {
        const names = `A-[${first}-${last}]`;
        await pattern.mutateAsync({ pattern: names, inventory_container_type_id: null });
      }
      const made = open[0] ?? (await batch.mutateAsync(name.trim()));
      batches.choose(made.id);
    } catch (problem) {
      setError(problem);
    } finally {
      setMaking(false);
    }
  };
  return {
    needed,
    needsBins,
    name,
    setName,
    drawers,
    setDrawers,
    firstBin: needsBins && count > 0 ? `A-${first}` : null,
    binsText: count > 0 ? `A-${first} to A-${last}` : "none",
    making,
    error,
    make: () => {
      if (!batches.batch && !batches.loading && !making && name.trim() !== "") void make();
    },
  };
}
