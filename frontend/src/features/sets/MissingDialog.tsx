import { Download } from "lucide-react";
import { useState } from "react";
import { WantedListField } from "@/features/exports/public";
import { downloadMade } from "@/shared/api/download";
import { problemText } from "@/shared/lib/problem";
import { type Region, regionOptions } from "@/shared/lib/regions";
import { ActDialog } from "@/shared/ui/ActDialog";
import { Checkbox } from "@/shared/ui/Checkbox";
import { type Condition, conditionOptions } from "@/shared/ui/Lot";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Notice } from "@/shared/ui/states";
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
  const [kind, setKind] = useState<Kind>("wanted_list");
  const [condition, setCondition] = useState<Condition>("U");
  const [region, setRegion] = useState<Region>("global");
  const [withPrices, setWithPrices] = useState(false);
  const [listId, setListId] = useState("");
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const go = async () => {
    setRunning(true);
    setProblem(null);
    try {
      const body = {
        user_sets: ids,
        kind,
        condition,
        region,
        with_prices: withPrices,
        wanted_list_id: listId,
      };
      const suffix = kind === "csv" ? "csv" : "xml";
      await downloadMade("userSets/missingFile", { body }, `missing parts.${suffix}`);
      onClose();
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setRunning(false);
    }
  };

  return (
    <ActDialog
      onClose={onClose}
      title={ids.length === 1 ? "Missing parts" : `Missing parts of ${ids.length} sets`}
      description="A file of all missing parts: to upload to BrickLink, or with their cost."
      size="md"
      act="Download"
      icon={Download}
      pending={running}
      onAct={() => void go()}
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl
          label="Kind of file"
          value={kind}
          onChange={setKind}
          options={[
            { value: "wanted_list", label: "Wanted list (XML)" },
            { value: "csv", label: "Spreadsheet (CSV)" },
          ]}
        />
        <div className="flex flex-wrap gap-3">
          <SegmentedControl
            label="Condition"
            value={condition}
            onChange={setCondition}
            options={conditionOptions}
          />
          <SegmentedControl
            label="Prices of"
            value={region}
            onChange={setRegion}
            options={regionOptions}
          />
        </div>
        {kind === "wanted_list" && (
          <>
            <Checkbox
              label="Pay at most the price of my rule"
              checked={withPrices}
              onChange={(event) => setWithPrices(event.target.checked)}
            />
            <WantedListField value={listId} onChange={setListId} />
            {summary !== undefined && summary.lots_without_number > 0 && (
              <Notice tone="warning">
                {lots(summary.lots_without_number)} have no BrickLink number and are left out. The
                CSV has them.
              </Notice>
            )}
          </>
        )}
        {problem !== null && <Notice tone="danger">{problem}</Notice>}
      </div>
    </ActDialog>
  );
}
