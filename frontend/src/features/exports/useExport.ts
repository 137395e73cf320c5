import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import {
  addToEnd,
  awaitFile,
  followJob,
  isFinished,
  saveAwaited,
  useJob,
} from "@/features/jobs/public";
import { marketplaceQueries } from "@/features/marketplace/public";
import { api } from "@/shared/api/client";
import { download } from "@/shared/api/download";
import { one, totalOf } from "@/shared/api/envelope";
import type { BodyOf } from "@/shared/api/wire";
import { invalidate } from "@/shared/lib/tags";
import { tellFailure } from "@/shared/ui/tellFailure";
import { canConfirm, nextAfter, type SellsBy } from "./kinds";
import type { Export, ExportRequest } from "./model";
import { exportQueries } from "./queries";

/** What puts this person's lots on sale. Whoever wrote a BSX file before has BrickStore. */
async function sellsBy(client: QueryClient): Promise<SellsBy> {
  const connection = await client.fetchQuery(marketplaceQueries.connection());
  // A demo store that offers itself is nobody's.
  if (connection && connection.state !== "none") return "store";
  const files = await client.fetchQuery({ ...exportQueries.newestBsx(), staleTime: 0 });
  return totalOf(files) > 1 ? "brickstore" : "nothing";
}

/**
 * Starts exports, saves each file when it is ready, and shows the refused items. Its job's toast
 * belongs to the jobs and outlives this page.
 */
export function useExport() {
  const client = useQueryClient();
  const [current, setCurrent] = useState<Export | null>(null);
  const [lastRequest, setLastRequest] = useState<ExportRequest | null>(null);
  const [refused, setRefused] = useState<Export | null>(null);
  const [noted, setNoted] = useState<Export | null>(null);
  const [toConfirm, setToConfirm] = useState<Export | null>(null);
  const { data: job } = useJob(current?.job_id);
  const ended = job !== undefined && isFinished(job) ? job.state : null;

  const start = useMutation({
    meta: { tellsFailure: true },
    // A batch says that it is exported from this moment on.
    mutationKey: ["exports"],
    mutationFn: async (request: ExportRequest) =>
      one(await api.post("exports", { body: request as BodyOf<"post", "exports"> })),
    onSuccess: (made, request) => {
      setCurrent(made);
      setLastRequest(request);
      followJob(made.job_id);
      // After a reload, or on another page, the job's toast saves it.
      awaitFile(made.job_id);
      // The batch says isExporting from here on.
      void invalidate(client, "batches");
    },
  });

  const id = current?.id;
  useEffect(() => {
    if (id === undefined || ended === null) return;
    setCurrent(null);
    void finish(id);

    async function finish(exportId: number) {
      try {
        const done = await client.fetchQuery({ ...exportQueries.detail(exportId), staleTime: 0 });
        // Where there was nothing to write no file is awaited; the toast of its job says why.
        const { file_url, file_name } = done;
        await saveAwaited(done.job_id, async () => file_url && download(file_url, file_name));
        if (canConfirm(done)) setToConfirm(done);
        if (done.failed.length > 0) setRefused(done);
        if (done.file_url && done.notices.length > 0) setNoted(done);
        // Only a hint: without an answer it is left out.
        const by = file_url ? await sellsBy(client).catch(() => null) : null;
        const next = by && nextAfter(done, by);
        if (next) addToEnd(done.job_id, next);
      } catch (error) {
        tellFailure(error);
      }
    }
  }, [id, ended, client]);

  return {
    start: (request: ExportRequest) => start.mutate(request),
    running: start.isPending || current !== null,
    /** The finished export that left lots out, until `forgetRefused`. */
    refused,
    forgetRefused: () => setRefused(null),
    /** The finished export that holds values in another form, until `forgetNoted`. */
    noted,
    forgetNoted: () => setNoted(null),
    /** The finished mass update that was not said to be uploaded yet, until `forgetToConfirm`. */
    toConfirm,
    forgetToConfirm: () => setToConfirm(null),
    /** The same again, of the lots that were left out only. */
    retryRefused: () => {
      if (!refused || !lastRequest) return;
      const item_ids = refused.failed.flatMap((item) => item.id ?? []);
      setRefused(null);
      start.mutate({ ...lastRequest, options: { ...lastRequest.options, item_ids } });
    },
  };
}
