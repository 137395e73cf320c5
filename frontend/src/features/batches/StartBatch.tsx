import { Plus } from "lucide-react";
import { useNavigate } from "react-router-dom";
import { formatDate } from "@/shared/lib/format";
import { paths, pathTo } from "@/shared/lib/paths";
import { Button } from "@/shared/ui/Button";
import { useCreateBatch, useDeleteBatch } from "./mutations";

/** Makes a batch named after the day and opens it: it can be renamed there, or undone. */
export function StartBatch() {
  const navigate = useNavigate();
  const create = useCreateBatch({ tellsFailure: true });
  const drop = useDeleteBatch();
  const start = () =>
    create.mutate(
      {
        name: `Batch of ${formatDate(new Date().toISOString())}`,
        description: "",
        source_id: null,
        cost_total: null,
        gross_weight: null,
        foreign_count: null,
      },
      {
        onSuccess: async ({ id, name }) => {
          void navigate(pathTo("batches", { batch: id }));
          const { tellMade } = await import("@/shared/table/editing/tellMade");
          const remove = async () => {
            await drop.mutateAsync({ id, typedName: "" });
            void navigate(paths.batches);
          };
          await tellMade({ table: "batches", words: `${name} made`, remove });
        },
      },
    );
  return (
    <Button icon={Plus} loading={create.isPending} onClick={start}>
      New batch
    </Button>
  );
}
