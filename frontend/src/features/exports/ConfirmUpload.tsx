import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { counted } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { ActDialog } from "@/shared/ui/ActDialog";
import { toast } from "@/shared/ui/toast";
import type { Export } from "./model";

/** Asks whether the file of a mass update was uploaded: the next one compares with it then. */
export function ConfirmUpload({ result, onClose }: { result: Export; onClose: () => void }) {
  const client = useQueryClient();
  const confirm = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async () =>
      one(await api.post("exports/{id}/uploaded", { path: { id: result.id } })),
    onSuccess: () => {
      toast.success("Kept: the next mass update compares with this file.");
      onClose();
    },
    onSettled: () => {
      void invalidate(client, "exports", "inventory", "batches");
    },
  });
  return (
    <ActDialog
      onClose={onClose}
      title="Have you uploaded this file?"
      description={`${result.file_name}: changes of ${counted(result.row_count, "lot")}.`}
      act="I have uploaded this file"
      closeLabel="Not yet"
      pending={confirm.isPending}
      onAct={() => confirm.mutate()}
    >
      <div className="flex flex-col gap-2 text-sm">
        <p>
          Upload it on BrickLink's mass update page first. What it says is then kept as what
          BrickLink has, and your next mass update holds only what differs from it.
        </p>
        <p className="text-muted">
          This cannot be undone here; importing your store again sets it right. Until you confirm,
          the same changes are in the next file, too. You find this file under Earlier exports.
        </p>
      </div>
    </ActDialog>
  );
}
