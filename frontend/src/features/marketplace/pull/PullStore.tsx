import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CloudDownload } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { followJob } from "@/features/jobs/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { conflictRows } from "@/shared/api/errors";
import { pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import type { Connection } from "../model";
import { marketplaceQueries } from "../queries";

/** Reads the whole store into a preview, as of a file; nothing changes before it is applied. */
export function PullStore(
  props: {
    /** Of several stores the one named. */
    marketplace?: Connection["marketplace"];
    onStarted?: () => void;
  } & Pick<ButtonProps, "variant" | "size" | "className">,
) {
  const { onStarted, marketplace, ...look } = props;
  const navigate = useNavigate();
  const client = useQueryClient();
  const { connection, connectionAt } = marketplaceQueries;
  const asked = marketplace ? connectionAt(marketplace) : connection();
  const data = useSideQuery(asked, "your store connection");
  const show = (syncId: number) => {
    onStarted?.();
    void navigate(pathTo("inventory", { sync: syncId }));
  };
  const pull = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async () =>
      one(await api.post("marketplace/pulls", marketplace ? { query: { marketplace } } : {})),
    onSuccess: (sync) => {
      if (sync.job_id) followJob(sync.job_id);
      void invalidate(client, ["inventory", "syncs"]);
      show(sync.id);
    },
    onError: (error) => {
      const running = runningImportOf(error);
      if (running !== null) show(running);
    },
  });
  if (!data?.has_store) return null;
  return (
    <Button
      {...look}
      icon={CloudDownload}
      loading={pull.isPending}
      disabledReason={
        data.state === "refused" &&
        "The marketplace refused your secrets: see Settings, Integrations"
      }
      onClick={() => pull.mutate()}
    >
      {marketplace
        ? `Pull ${data.marketplace_name}`
        : data.is_demo
          ? "Pull the demo store"
          : "Pull your store"}
    </Button>
  );
}

/** The id of the import that runs already, where a refusal names it. */
function runningImportOf(error: unknown): number | null {
  return conflictRows<{ sync_id: number | null }>(error, "sync_id")[0]?.sync_id ?? null;
}
