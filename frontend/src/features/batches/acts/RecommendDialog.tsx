import { useState } from "react";
import { counted } from "@/shared/lib/format";
import { Checkbox } from "@/shared/ui/Checkbox";
import { ActFrame, type ActProps, figure, lots, nameColumn, textOf } from "./ActFrame";

/** The recommended bin for each new item, all seeing the room that the others take. */
export function RecommendDialog({ act }: { act: ActProps }) {
  const [replace, setReplace] = useState(false);
  return (
    <ActFrame
      act={act}
      verb="recommendLocations"
      title={`Recommend bins for ${lots(act.count)}`}
      description="Beside the same part, colour and condition, else the best free place. They are planned, not stowed."
      options={{ replace }}
      doLabel="Plan them"
      summary={(acted) =>
        `${lots(figure(acted, "changed"))} planned into ${counted(figure(acted, "locations"), "bin")}`
      }
      idle={(acted) => figure(acted, "changed") === 0}
      columns={[
        nameColumn,
        { header: "Quantity", align: "end", cell: (row) => row.quantity },
        {
          header: "Now",
          cell: (row) => <span className="whitespace-nowrap">{textOf(row.before) || "–"}</span>,
        },
        {
          header: "Then",
          cell: (row) => <span className="whitespace-nowrap">{textOf(row.after)}</span>,
        },
      ]}
    >
      <Checkbox
        label="Also where one is planned already"
        checked={replace}
        onChange={(event) => setReplace(event.target.checked)}
      />
    </ActFrame>
  );
}
