import { ArchiveRestore } from "lucide-react";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import type { Batch } from "../model";
import { useArchiveBatch } from "../mutations";

/** Says that the batch is only to be read, and brings it back. */
export function ArchivedNotice({ batch }: { batch: Batch }) {
  const archive = useArchiveBatch();
  return (
    <div className="mb-4">
      <Notice
        tone="warning"
        title="Archived: it can be read, not changed"
        actions={
          <Button
            size="sm"
            icon={ArchiveRestore}
            loading={archive.isPending}
            onClick={() => archive.mutate({ id: batch.id, archived: false })}
          >
            Restore
          </Button>
        }
      />
    </div>
  );
}
