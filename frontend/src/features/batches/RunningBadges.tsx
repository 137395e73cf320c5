import { Badge } from "@/shared/ui/Badge";
import { Spinner } from "@/shared/ui/Spinner";
import type { Batch } from "./model";
import { runningWords } from "./rules";
import { useWithWork } from "./work";

/** What works on a batch at this moment. */
export function RunningBadges({ batch }: { batch: Batch }) {
  return runningWords(useWithWork(batch)).map((words) => (
    <Badge key={words.split(" ", 1)[0]} tone="accent" icon={<Spinner className="size-3" />}>
      {words}
    </Badge>
  ));
}
