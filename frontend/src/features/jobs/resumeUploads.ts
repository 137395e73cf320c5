/** After a reload: files that it cut off are sent again, and their jobs are watched. */
import { forgetLeft, type KeptUpload, leftUploads, sendLeft } from "@/shared/api/keptUploads";
import { log } from "@/shared/lib/log";
import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import { followJob } from "./followed";

export async function resumeUploads(open: (to: string) => void): Promise<void> {
  const left = await leftUploads().catch((error): KeptUpload[] => {
    log.warn(`Uploads are not resumed: ${problemText(error)}`);
    return [];
  });
  await Promise.all(left.map((upload) => resume(upload, open)));
}

async function resume(upload: KeptUpload, open: (to: string) => void): Promise<void> {
  const file = upload.fields.map(([, value]) => value).find((value) => value instanceof File);
  const name = file?.name ?? "The file";
  const id = `upload-${upload.key}`;
  toast.info(`Sending ${name} again`, {
    id,
    duration: Number.POSITIVE_INFINITY,
    detail: "The page was reloaded while it was on its way.",
  });
  try {
    const [row] = (await sendLeft<{ id?: unknown; job_id?: unknown }>(upload)).data;
    toast.remove(id);
    // A job, or a row that names its own.
    const job = row?.job_id ?? row?.id;
    if (typeof job === "string") followJob(job);
  } catch (error) {
    toast.error(`${name} was not imported`, {
      id,
      duration: Number.POSITIVE_INFINITY,
      detail: problemText(error),
      // With what was chosen: the file, and all that was said of it.
      action: { label: "Open", run: () => open(`${upload.page}${upload.key}`) },
      onDismiss: () => forgetLeft(upload.key),
    });
  }
}
