import { useQueryClient } from "@tanstack/react-query";
import { problemText } from "@/shared/lib/problem";
import { codeText } from "@/shared/scanner/codes";
import { useScanner } from "@/shared/scanner/scans";
import { toast } from "@/shared/ui/toast";
import type { Location } from "./model";
import { locationQueries } from "./queries";

const tellUnknown = (code: string) =>
  toast.error(`No bin of yours has the code ${code}`, { id: "scan" });

/** Finds the bin that a label or a typed code means; null, and said, where there is none. */
export function useBinOf(onUnknown: (code: string) => void = tellUnknown) {
  const client = useQueryClient();
  return async (text: string): Promise<Location | null> => {
    const code = codeText(text);
    if (code === "") return null;
    try {
      const found = await client.fetchQuery(locationQueries.scanned(code));
      if (!found) onUnknown(code);
      return found;
    } catch (error) {
      toast.error(problemText(error), { id: "scan" });
      return null;
    }
  };
}

/** Calls `onBin` with each bin whose label is scanned. */
export function useBinScans(
  onBin: (bin: Location) => void,
  onUnknown?: (code: string) => void,
): void {
  const binOf = useBinOf(onUnknown);
  useScanner((code) => void binOf(code).then((found) => found && onBin(found)));
}
