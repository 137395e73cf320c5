/** The acts that menus offer for many items. */
import type { Operation } from "@/shared/lib/role";
import type { ActKind } from "./ActDialog";

type Entry = {
  act: ActKind;
  label: string;
  description: string;
  disabledReason?: string | false;
  needs?: Operation;
};

/** `closed`: why nothing can be changed; `noNew`: why acts on new items make no sense. */
export const actEntries = (
  closed: string | false = false,
  noNew: string | false = false,
): Entry[] => [
  {
    act: "recommend",
    needs: "write batches/{}/recommendLocations",
    label: "Recommend bins…",
    description: "A bin for each new lot, with its reason",
    disabledReason: closed || noNew,
  },
  {
    act: "prices",
    needs: "write batches/{}/getPrices",
    label: "Get prices…",
    description: "What they sold for, from the marketplace",
  },
  {
    act: "reprice",
    needs: "write batches/{}/reprice",
    label: "Re-price…",
    description: "By your price rule, or by per cent",
    disabledReason: closed,
  },
  {
    act: "spread",
    needs: "write batches/{}/spreadCost",
    label: "Spread cost…",
    description: "Shares what you paid among the lots",
    disabledReason: closed,
  },
  {
    act: "consolidate",
    label: "Consolidate…",
    description: "Merges equal lots into one",
    disabledReason: closed || noNew,
  },
  {
    act: "split",
    label: "Split by bin…",
    description: "A batch for each bin",
    disabledReason: closed,
  },
  {
    act: "move",
    label: "Move to another batch…",
    description: "Removes them from this batch",
    disabledReason: closed,
  },
  {
    act: "copy",
    label: "Copy to another batch…",
    description: "Keeps them in this batch",
    disabledReason: closed,
  },
];
