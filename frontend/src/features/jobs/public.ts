export { claimJobView, followJob, followQuietly } from "./followed";
export { JobProgress } from "./JobProgress";
export { awaitFile, saveAwaited } from "./kept";
export { isFinished, type Job, type JobState } from "./model";
export { JobToasts } from "./parts";
export { jobQueries } from "./queries";
export { useCancelJob, useJob, useJobEnd, useJobShownHere, useRetryJob } from "./useJob";
