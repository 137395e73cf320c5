import { isJob } from "@/shared/api/startedJobs";
import { counted } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { Notice } from "@/shared/ui/states";
import { useTellAct } from "../acts";
import { type Renumbered as Item, renumberedQuery, useRenumber } from "./model";

const MOST_SHOWN = 8;

/** The items of these lots that the catalogue moved to another number, and the act that follows. */
export function Renumbered() {
  const data = useSideQuery(renumberedQuery(), "the moved numbers");
  const renumbering = useRenumber();
  const tell = useTellAct();
  if (!data || data.length === 0) return null;
  const lots = data.reduce((sum, item) => sum + rowsOf(item), 0);
  const listed = data.reduce((sum, item) => sum + item.listed, 0);
  const change = () =>
    renumbering.mutate(undefined, {
      onSuccess: (answer) => {
        if (isJob(answer)) return;
        const left = answer.refused.length;
        const because = left
          ? ` ${counted(left, "lot")} stayed: ${answer.refused[0]?.message}`
          : "";
        tell(`New numbers for ${counted(answer.item_count, "lot")}.${because}`, answer.act_id);
      },
    });
  return (
    <div className="mb-4">
      <Notice
        tone="info"
        title={`The catalogue moved ${counted(data.length, "item")} to another number`}
        actions={
          <Button size="sm" variant="primary" loading={renumbering.isPending} onClick={change}>
            Change {counted(lots, "lot")}
          </Button>
        }
      >
        <ul aria-label="Moved numbers" className="flex flex-col gap-1">
          {data.slice(0, MOST_SHOWN).map((item) => (
            <li key={item.item_id} className="wrap-anywhere">
              <span className="font-mono text-xs">{item.old_number}</span> is{" "}
              <span className="font-mono text-xs">{item.new_number}</span>, {item.item_name}:{" "}
              {whereText(item)}
            </li>
          ))}
        </ul>
        {data.length > MOST_SHOWN && <p>and {counted(data.length - MOST_SHOWN, "more item")}.</p>}
        {listed > 0 && (
          <p>
            {counted(listed, "lot")} of your store {listed === 1 ? "follows" : "follow"} with the
            next sync.
          </p>
        )}
      </Notice>
    </div>
  );
}

const rowsOf = (item: Item) => item.lots + item.batch_lots + item.set_parts + item.order_lines;

const whereText = ({ lots, batch_lots, set_parts, order_lines }: Item) =>
  [
    lots && `${counted(lots, "lot")} in stock`,
    batch_lots && `${counted(batch_lots, "lot")} in batches`,
    set_parts && `${counted(set_parts, "lot")} of sets`,
    order_lines && `${counted(order_lines, "lot")} of open orders`,
  ]
    .filter(Boolean)
    .join(", ");
