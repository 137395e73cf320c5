import { toast } from "@/shared/ui/toast";
import type { Batch } from "../model";
import { useArchiveBatch } from "../mutations";

/** Archives a batch, or restores an archived one, with an undo in its toast. */
export function useArchive(batch: Pick<Batch, "id" | "name" | "is_archived">) {
  const archive = useArchiveBatch();
  const toggle = () => {
    const { id, name, is_archived: wasArchived } = batch;
    const takeBack = () => archive.mutate({ id, archived: wasArchived });
    archive.mutate(
      { id, archived: !wasArchived },
      {
        onSuccess: () =>
          toast.success(`${name} ${wasArchived ? "restored" : "archived"}`, {
            action: { label: "Undo", run: takeBack },
          }),
      },
    );
  };
  return { toggle, isPending: archive.isPending };
}
