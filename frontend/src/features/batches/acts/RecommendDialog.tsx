import { counted } from "@/shared/lib/format";
import { CheckField } from "@/shared/ui/Checkbox";
import { useControl } from "@/shared/ui/useControl";
import { ActFrame, type ActProps, figure, lots, nameColumn, textOf } from "./ActFrame";

/** The recommended bin for each new item, all seeing the room that the others take. */
export function RecommendDialog({ act }: { act: ActProps }) {
  const replace = useControl(false);
  return (
    <ActFrame
      act={act}
      verb="recommendLocations"
      title={`Recommend bins for ${lots(act.count)}`}
      description="Beside the same part, colour and condition, else the best free place. They are planned, not stowed."
      options={{ replace: replace.value }}
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
      <CheckField label="Also where one is planned already" {...replace} />
    </ActFrame>
  );
}
