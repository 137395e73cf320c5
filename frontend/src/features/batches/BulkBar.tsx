import { Boxes, ChevronDown, MapPin, PackageCheck, Store, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { ExportSelected } from "@/features/exports/public";
import { counted } from "@/shared/lib/format";
import type { Selection } from "@/shared/table/SelectionBar";
import { Button } from "@/shared/ui/Button";
import { Menu } from "@/shared/ui/Menu";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { ActKind } from "./acts/ActDialog";
import { actEntries } from "./acts/entries";
import type { BatchItem, StateFilter } from "./model";
import type { AlikeChanges } from "./mutations";
import { idsOf } from "./operations";
import { openItem, PriceDialog } from "./parts";
import { whyNotList, whyNotMarkListed, whyNotStow } from "./rules";
import { useEditAlike } from "./useEditAlike";

type Chosen = {
  items: number[];
  count: number;
  known: readonly BatchItem[];
  clear: () => void;
};

/** What can be done with the selected items. */
export function BulkBar(props: {
  batchId: number;
  filter: StateFilter;
  selection: Selection<BatchItem>;
  onStow: (chosen: Chosen) => void;
  onRemove: (chosen: Chosen) => void;
  onList: (chosen: Chosen) => void;
  onPlan: (ids: number[]) => void;
  onMarkListed: (ids: number[], listed: boolean) => void;
  onAct: (act: ActKind, chosen: Chosen) => void;
  marking: boolean;
}) {
  const { batchId, filter, selection } = props;
  const [finding, setFinding] = useState(false);
  const [pricing, setPricing] = useState<number[] | null>(null);
  const edit = useEditAlike(batchId);
  // Only where every selected row is at hand is it known beforehand what will be refused.
  const known = selection.rows.length === selection.count ? selection.rows : [];

  const withIds = async (act: (ids: number[]) => void) => {
    setFinding(true);
    try {
      act(await idsOf(selection, batchId, filter));
    } catch (error) {
      tellFailure(error);
    } finally {
      setFinding(false);
    }
  };
  const chosen = (items: number[]): Chosen => ({
    items,
    count: items.length,
    known: selection.rows,
    clear: selection.clear,
  });
  const change = (ids: number[], changes: AlikeChanges, what: string) =>
    edit.run(ids, changes, (done) => `${what} of ${counted(done, "lot")} changed`);

  return (
    <>
      <Button
        size="sm"
        icon={<Boxes aria-hidden="true" className="size-3.5" />}
        loading={finding}
        disabledReason={whyNotStow(known)}
        onClick={() => void withIds((ids) => props.onStow(chosen(ids)))}
      >
        Stow
      </Button>
      <Button
        size="sm"
        icon={<MapPin aria-hidden="true" className="size-3.5" />}
        disabledReason={whyNotStow(known)}
        onClick={() => void withIds(props.onPlan)}
      >
        Plan location
      </Button>
      <Button
        size="sm"
        icon={<Store aria-hidden="true" className="size-3.5" />}
        disabledReason={whyNotList(known)}
        onClick={() => void withIds((ids) => props.onList(chosen(ids)))}
      >
        List
      </Button>
      <Button
        size="sm"
        icon={<PackageCheck aria-hidden="true" className="size-3.5" />}
        loading={props.marking}
        disabledReason={whyNotMarkListed(known)}
        onClick={() => void withIds((ids) => props.onMarkListed(ids, true))}
      >
        Mark as listed
      </Button>
      <ExportSelected
        scope={{ scope: "batch", batch_id: batchId }}
        ids={() => idsOf(selection, batchId, filter)}
        openRow={openItem}
      />
      <Menu
        trigger={
          <Button
            size="sm"
            icon={<Tag aria-hidden="true" className="size-3.5" />}
            loading={edit.running}
          >
            Change
            <ChevronDown aria-hidden="true" className="size-3.5" />
          </Button>
        }
        entries={[
          {
            id: "new",
            label: "Condition: New",
            run: () => void withIds((ids) => change(ids, { condition: "N" }, "Condition")),
          },
          {
            id: "used",
            label: "Condition: Used",
            run: () => void withIds((ids) => change(ids, { condition: "U" }, "Condition")),
          },
          { id: "price", label: "Price…", run: () => void withIds(setPricing) },
          {
            id: "unlisted",
            label: "Take the listed mark off",
            disabledReason: known.length > 0 && !known.some((i) => i.is_listed) && "None is listed",
            run: () => void withIds((ids) => props.onMarkListed(ids, false)),
          },
          "separator",
          ...actEntries(false, whyNotStow(known) ?? false).map(({ act, ...entry }) => ({
            ...entry,
            id: act,
            run: () => void withIds((ids) => props.onAct(act, chosen(ids))),
          })),
        ]}
      />
      <Button
        size="sm"
        icon={<Trash2 aria-hidden="true" className="size-3.5" />}
        onClick={() => void withIds((ids) => props.onRemove(chosen(ids)))}
      >
        Remove
      </Button>
      {pricing && (
        <PriceDialog
          count={pricing.length}
          onClose={() => setPricing(null)}
          onPrice={(price) => {
            change(pricing, { price }, "Price");
            setPricing(null);
          }}
        />
      )}
    </>
  );
}
