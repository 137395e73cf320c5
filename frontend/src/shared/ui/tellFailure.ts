import { problemText } from "@/shared/lib/problem";
import { toast } from "./toast";

/** Shows why something could not be done. For mutations say `meta: { tellsFailure: true }`. */
export function tellFailure(error: unknown, before?: string): void {
  const reason = problemText(error);
  toast.error(before ? `${before}: ${reason}` : reason);
}
