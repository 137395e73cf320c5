export { addToEnd } from "./ends";
export { followJob, followQuietly } from "./followed";
export { JobProgress } from "./JobProgress";
export { awaitFile, saveAwaited } from "./kept";
export { isFinished, type Job } from "./model";
export { JobToasts } from "./parts";
export { useCancelJob, useJob, useJobEnd, useJobShownHere, useRetryJob } from "./useJob";
