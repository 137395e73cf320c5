import { Boxes, ChevronDown, MapPin, PackageCheck, Store, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { ExportSelected } from "@/features/exports/public";
import { counted } from "@/shared/lib/format";
import { may } from "@/shared/lib/role";
import type { Selection } from "@/shared/table/SelectionBar";
import { Button } from "@/shared/ui/Button";
import { Menu, type MenuEntry } from "@/shared/ui/Menu";
import { tellFailure } from "@/shared/ui/tellFailure";
import type { ActKind } from "./acts/ActDialog";
import { actEntries } from "./acts/entries";
import type { Chosen, Dialog } from "./detail/dialog";
import type { BatchItem, StateFilter } from "./model";
import type { AlikeChanges } from "./mutations";
import { idsOf } from "./operations";
import { openItem, PriceDialog } from "./parts";
import { whyNotList, whyNotMarkListed, whyNotStow } from "./rules";
import { useEditAlike } from "./useEditAlike";
import type { useMarkListed } from "./useMarkListed";

/** What can be done with the selected items. */
export function BulkBar(props: {
  batchId: number;
  filter: StateFilter;
  selection: Selection<BatchItem>;
  markListed: ReturnType<typeof useMarkListed>;
  onRemove: (chosen: Chosen) => void;
  onDialog: (dialog: Dialog) => void;
}) {
  const { batchId, filter, selection, markListed, onRemove, onDialog } = props;
  const [finding, setFinding] = useState(false);
  const [pricing, setPricing] = useState<number[] | null>(null);
  const edit = useEditAlike(batchId);
  // Only where every selected row is at hand is it known beforehand what will be refused.
  const known = selection.rows.length === selection.count ? selection.rows : [];

  const withIds = (act: (ids: number[]) => void) => async () => {
    setFinding(true);
    try {
      act(await idsOf(selection, batchId, filter));
    } catch (error) {
      tellFailure(error);
    } finally {
      setFinding(false);
    }
  };
  const { clear } = selection;
  const withChosen = (act: (chosen: Chosen) => void) =>
    withIds((items) => act({ items, count: items.length, known: selection.rows, clear }));
  const mark = (listed: boolean) => withIds((ids) => markListed.run(ids, clear, listed));
  const change = (ids: number[], changes: AlikeChanges, what: string) =>
    edit.run(ids, changes, (done) => `${what} of ${counted(done, "lot")} changed`);

  return (
    <>
      <Button
        size="sm"
        icon={<Boxes aria-hidden="true" className="size-3.5" />}
        loading={finding}
        disabledReason={whyNotStow(known)}
        onClick={withChosen((chosen) => onDialog({ kind: "stow", chosen }))}
      >
        Stow
      </Button>
      <Button
        size="sm"
        icon={<MapPin aria-hidden="true" className="size-3.5" />}
        disabledReason={whyNotStow(known)}
        onClick={withIds((ids) => onDialog({ kind: "plan", ids, clear }))}
      >
        Plan location
      </Button>
      <Button
        needs="write marketplace/listings"
        size="sm"
        icon={<Store aria-hidden="true" className="size-3.5" />}
        disabledReason={whyNotList(known)}
        onClick={withChosen((chosen) => onDialog({ kind: "list", chosen }))}
      >
        List
      </Button>
      <Button
        size="sm"
        icon={<PackageCheck aria-hidden="true" className="size-3.5" />}
        loading={markListed.running}
        disabledReason={whyNotMarkListed(known)}
        onClick={mark(true)}
      >
        Mark as listed
      </Button>
      {may("write exports") && (
        <ExportSelected
          scope={{ scope: "batch", batch_id: batchId }}
          ids={() => idsOf(selection, batchId, filter)}
          openRow={openItem}
        />
      )}
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
        entries={changeEntries(known, {
          condition: (condition) => withIds((ids) => change(ids, { condition }, "Condition")),
          price: withIds(setPricing),
          unmark: mark(false),
          act: (act) => withChosen((chosen) => onDialog({ kind: "act", act, chosen })),
        })}
      />
      <Button
        size="sm"
        icon={<Trash2 aria-hidden="true" className="size-3.5" />}
        onClick={withChosen(onRemove)}
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

function changeEntries(
  known: readonly BatchItem[],
  run: Record<"price" | "unmark", () => void> & {
    condition: (condition: "N" | "U") => () => void;
    act: (act: ActKind) => () => void;
  },
): MenuEntry[] {
  return [
    { id: "new", label: "Condition: New", run: run.condition("N") },
    { id: "used", label: "Condition: Used", run: run.condition("U") },
    { id: "price", label: "Price…", run: run.price },
    {
      id: "unlisted",
      label: "Unmark as listed",
      disabledReason: known.length > 0 && !known.some((i) => i.is_listed) && "None is listed",
      run: run.unmark,
    },
    "separator",
    ...actEntries(false, whyNotStow(known) ?? false).map(({ act, ...entry }) => ({
      ...entry,
      id: act,
      run: run.act(act),
    })),
  ];
}
