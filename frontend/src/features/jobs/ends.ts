import { toast } from "@/shared/ui/toast";
import { onceShown } from "./followed";

export const toastId = (jobId: string) => `job-${jobId}`;

/** How long a person has to read what comes next. */
const READ_MS = 15_000;

/** Adds a line to the toast of a job's end, so that one toast says both. */
export function addToEnd(jobId: string, line: string): void {
  onceShown(jobId, () => toast.addLine(toastId(jobId), line, READ_MS));
}
