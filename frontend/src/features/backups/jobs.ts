import type { JobKinds } from "@/shared/api/jobKinds";
import { counted } from "@/shared/lib/format";

export const backupJobs: JobKinds = {
  "backups.write_backup": {
    running: "Writing your backup",
    done: () => "Your backup is ready.",
    touches: ["backups"],
    link: () => ({ label: "Show", to: "/app/settings" }),
    cancellable: true,
  },
  "backups.restore_backup": {
    running: "Restoring your backup",
    done: ({ total }) =>
      total === null ? "Everything is back." : `Everything is back: ${counted(total, "row")}.`,
    touches: "everything",
    cancellable: true,
  },
};
