import { toast } from "@/shared/ui/toast";
import type { Batch } from "../model";
import { useArchiveBatch } from "../mutations";

/** Archives a batch, or restores an archived one, with an undo in its toast. */
export function useArchive() {
  const archive = useArchiveBatch();
  const toggle = ({ id, name, is_archived: wasArchived }: Batch) => {
    const run = () => archive.mutate({ id, archived: wasArchived });
    const told = () =>
      toast.success(`${name} ${wasArchived ? "restored" : "archived"}`, {
        action: { label: "Undo", run },
      });
    archive.mutate({ id, archived: !wasArchived }, { onSuccess: told });
  };
  return { toggle, isPending: archive.isPending };
}
