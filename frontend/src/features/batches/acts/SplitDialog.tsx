import { counted } from "@/shared/lib/format";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { useControl } from "@/shared/ui/useControl";
import { ActFrame, type ActProps, figure, lots } from "./ActFrame";

/** A batch for each bin, or for each aisle. */
export function SplitDialog({ act }: { act: ActProps }) {
  const by = useControl<"location" | "aisle">("aisle");
  return (
    <ActFrame
      act={act}
      verb="split"
      title={`Split ${lots(act.count)} by bin`}
      description="The lots of each bin go to a batch of their own. Those without a bin stay."
      options={{ by: by.value }}
      doLabel="Split"
      summary={(acted) =>
        figure(acted, "batches") === 0
          ? "Nothing to split"
          : `${counted(figure(acted, "batches"), "new batch", "new batches")} with ${lots(figure(acted, "changed"))}`
      }
      idle={(acted) => figure(acted, "batches") === 0}
      columns={[
        { header: "Batch", grow: true, cell: (row) => row.name },
        { header: "Lots", align: "end", cell: (row) => row.lots },
        { header: "Pieces", align: "end", cell: (row) => row.items },
      ]}
    >
      <SegmentedControl
        label="A batch for"
        {...by}
        options={{ aisle: "Each aisle (A of A-01)", location: "Each bin" }}
      />
    </ActFrame>
  );
}
