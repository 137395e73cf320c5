/** The acts that menus offer for many items. */
import type { ActKind } from "./ActDialog";

type Entry = { act: ActKind; label: string; disabledReason?: string | false };

/** `closed`: why nothing can be changed; `noNew`: why acts on new items make no sense. */
export const actEntries = (
  closed: string | false = false,
  noNew: string | false = false,
): Entry[] => [
  { act: "recommend", label: "Recommend locations…", disabledReason: closed || noNew },
  { act: "prices", label: "Get prices…" },
  { act: "reprice", label: "Re-price…", disabledReason: closed },
  { act: "spread", label: "Spread cost…", disabledReason: closed },
  { act: "consolidate", label: "Consolidate…", disabledReason: closed || noNew },
  { act: "split", label: "Split by location…", disabledReason: closed },
  { act: "move", label: "Move to another batch…", disabledReason: closed },
  { act: "copy", label: "Copy to another batch…", disabledReason: closed },
];
