import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { WantedListField } from "@/features/exports/public";
import { downloadMade } from "@/shared/api/download";
import { problemText } from "@/shared/lib/problem";
import { type Region, regionNames } from "@/shared/lib/regions";
import { ActDialog } from "@/shared/ui/ActDialog";
import { CheckField } from "@/shared/ui/Checkbox";
import { type Condition, conditionNames } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
import { useControl } from "@/shared/ui/useControl";
import type { SetSummary } from "./model";
import { lots } from "./rules";

type Kind = "wanted_list" | "csv";

/** What one set or several lack together, as a file to buy by. */
export function MissingDialog(props: {
  ids: readonly number[];
  /** Of one set, where it is known. */
  summary?: SetSummary;
  onClose: () => void;
}) {
  const { ids, summary, onClose } = props;
  const kind = useControl<Kind>("wanted_list");
  const condition = useControl<Condition>("U");
  const region = useControl<Region>("global");
  const withPrices = useControl(false);
  const [listId, setListId] = useState("");
  const save = useMutation({
    mutationFn: () => {
      const body = {
        user_sets: ids,
        kind: kind.value,
        condition: condition.value,
        region: region.value,
        with_prices: withPrices.value,
        wanted_list_id: listId,
      };
      const suffix = kind.value === "csv" ? "csv" : "xml";
      return downloadMade("userSets/missingFile", { body }, `missing parts.${suffix}`);
    },
    onSuccess: onClose,
  });

  return (
    <ActDialog
      onClose={onClose}
      title={ids.length === 1 ? "Missing parts" : `Missing parts of ${ids.length} sets`}
      description="A file of all missing parts: to upload to BrickLink, or with their cost."
      size="md"
      act="Download"
      icon={Download}
      pending={save.isPending}
      onAct={() => save.mutate()}
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl
          label="Kind of file"
          {...kind}
          options={{ wanted_list: "Wanted list (XML)", csv: "Spreadsheet (CSV)" }}
        />
        <div className="flex flex-wrap gap-3">
          <SegmentedControl label="Condition" {...condition} options={conditionNames} />
          <SegmentedControl label="Prices of" {...region} options={regionNames} />
        </div>
        {kind.value === "wanted_list" && (
          <>
            <CheckField label="Pay at most the price of my rule" {...withPrices} />
            <WantedListField value={listId} onChange={setListId} />
            {summary !== undefined && summary.lots_without_number > 0 && (
              <Notice tone="warning">
                {lots(summary.lots_without_number)} have no BrickLink number and are left out. The
                CSV has them.
              </Notice>
            )}
          </>
        )}
        {save.error && <Notice tone="danger">{problemText(save.error)}</Notice>}
      </div>
    </ActDialog>
  );
}
