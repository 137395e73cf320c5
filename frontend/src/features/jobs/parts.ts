/** What the first view does without, in chunks of their own. */
import { lazyPart } from "@/shared/ui/lazyPart";

/** For the frame of the app: it shows jobs on every page, what each kind is called included. */
export const JobToasts = lazyPart(() => import("./JobToasts").then((m) => m.JobToasts));
