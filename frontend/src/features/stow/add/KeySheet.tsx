import { useMutation } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import type { BatchHead } from "@/features/catalog/public";
import { downloadMade } from "@/shared/api/download";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { KeyGroup } from "@/shared/ui/KeyGroup";
import { toast } from "@/shared/ui/toast";
import { keySheet } from "./keys";
import { useLetters } from "./letters";

/** All keys of the station, grouped by the step of the work. */
export function KeySheet({ batch, onClose }: { batch: BatchHead | null; onClose: () => void }) {
  const print = useMutation({
    meta: { tellsFailure: true },
    mutationFn: () => {
      const named = batch && { batch_code: String(batch.id), batch_name: batch.name };
      return downloadMade("stationCards", { body: { ...named } }, "station-cards.pdf");
    },
    onSuccess: () =>
      toast.success("Cards saved as PDF", {
        detail: "Print them at actual size and cut them: a scanner reads them at the station.",
      }),
  });

  const lines = keySheet(useLetters());
  const groups = [...new Set(lines.map((line) => line.group))];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keys of the station"
      description="While you type, letters and digits are text; once an item is taken they are commands. Alt and a letter works from anywhere. The settings give letters other commands, or switch them off."
      size="lg"
      footer={
        <>
          <Button loading={print.isPending} icon={Printer} onClick={() => print.mutate()}>
            Command and tray cards
          </Button>
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="columns-1 gap-8 sm:columns-2">
        {groups.map((group) => (
          <KeyGroup
            key={group}
            title={group}
            lines={lines.filter((line) => line.group === group)}
          />
        ))}
      </div>
    </Dialog>
  );
}
