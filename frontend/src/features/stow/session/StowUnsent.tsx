import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { counted } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { invalidate } from "@/shared/lib/tags";
import { useStable } from "@/shared/lib/useStable";
import { toast } from "@/shared/ui/toast";
import { resumeLookups } from "../add/lookups";
import type { Outcome } from "./sender";
import { sitting } from "./sitting";

/** Sends what a closed station had not sent, from any page, and tells what is refused of it. */
export function StowUnsent() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isAtStation = useLocation().pathname === paths.stow;
  const hear = useStable(({ row, problem }: Outcome) => {
    if (isAtStation) return; // its rows show it, and it follows them
    void invalidate(client, "batches", "batchItems", "inventory");
    if (!problem) return;
    const { draft, quantity } = row;
    toast.error(`Refused: ${counted(quantity, "piece")} of ${draft.itemNumber}`, {
      id: `refused ${row.key}`,
      duration: Number.POSITIVE_INFINITY,
      detail: problem.text,
      action: { label: "Show", run: () => void navigate(pathTo("stow", { batch: draft.batchId })) },
    });
  });
  useEffect(() => {
    void sitting.resume();
    void resumeLookups(client);
    return sitting.onOutcome(hear);
  }, [client, hear]);
  return null;
}
