import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Blocks } from "lucide-react";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";

/** Counts a set that was found among the person's own: its parts are wanted from now on. */
export function AddToMySets({ number, size }: { number: string; size?: "sm" | "md" }) {
  const client = useQueryClient();
  const refresh = () => invalidate(client, "userSets");
  const add = useMutation({
    meta: { tellsFailure: true },
    mutationFn: async () => one(await api.post("userSets", { body: { number } })),
    onSuccess: ({ id }) => {
      void refresh();
      const takeBack = () => {
        api.delete("userSets/{id}", { path: { id } }).then(refresh, tellFailure);
      };
      toast.success(`${number} is in My Sets`, { action: { label: "Undo", run: takeBack } });
    },
  });
  return (
    <Button size={size ?? "md"} icon={Blocks} loading={add.isPending} onClick={() => add.mutate()}>
      Add to My Sets
    </Button>
  );
}
