import { useState } from "react";
import { counted } from "@/shared/lib/format";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { ActFrame, type ActProps, figure, lots } from "./ActFrame";

/** A batch for each bin, or for each aisle. */
export function SplitDialog({ act }: { act: ActProps }) {
  const [by, setBy] = useState<"location" | "aisle">("aisle");
  return (
    <ActFrame
      act={act}
      verb="split"
      title={`Split ${lots(act.count)} by bin`}
      description="The lots of each bin go to a batch of their own. Those without a bin stay."
      options={{ by }}
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
        value={by}
        onChange={setBy}
        options={[
          { value: "aisle", label: "Each aisle (A of A-01)" },
          { value: "location", label: "Each bin" },
        ]}
      />
    </ActFrame>
  );
}
