export { claimJobView, followJob, followQuietly } from "./followed";
export { JobProgress } from "./JobProgress";
export { JobToasts } from "./JobToasts";
export { isFinished, type Job, type JobState } from "./model";
export { jobQueries } from "./queries";
export { useCancelJob, useJob, useJobShownHere, useRetryJob } from "./useJob";
