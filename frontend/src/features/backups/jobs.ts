import { doneText, type JobKinds } from "@/shared/api/jobKinds";
import { pathTo } from "@/shared/lib/paths";

export const backupJobs: JobKinds = {
  "backups.write_backup": {
    running: "Writing your backup",
    done: () => "Your backup is ready.",
    touches: ["backups"],
    link: () => ({ label: "Show", to: pathTo("settings", {}, "backup") }),
    cancellable: true,
  },
  "backups.restore_backup": {
    running: "Restoring your backup",
    done: (job) => doneText("Restored", job, "row", "rows"),
    touches: "everything",
    cancellable: true,
  },
};
