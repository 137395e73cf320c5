import { problemText } from "@/shared/lib/problem";
import { toast } from "@/shared/ui/toast";
import type { Batch } from "../model";
import { useArchiveBatch } from "../mutations";

/** Archives a batch, or restores an archived one, with an undo in its toast. */
export function useArchive(batch: Pick<Batch, "id" | "name" | "is_archived">) {
  const archive = useArchiveBatch();
  const onError = (error: Error) => void toast.error(problemText(error));
  const toggle = () => {
    const { id, name, is_archived: wasArchived } = batch;
    const takeBack = () => archive.mutate({ id, archived: wasArchived }, { onError });
    archive.mutate(
      { id, archived: !wasArchived },
      {
        onSuccess: () =>
          toast.success(`${name} ${wasArchived ? "restored" : "archived"}`, {
            action: { label: "Undo", run: takeBack },
          }),
        onError,
      },
    );
  };
  return { toggle, isPending: archive.isPending };
}
