import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { counted, formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Loaded } from "@/shared/ui/states";
import { BinGroups } from "./BinGroups";
import type { InventorySync, SyncOptions } from "./model";
import { syncQueries } from "./queries";
import { countsOf, locationWords } from "./rules";

/** The specification's sync warning dialog for locations: which names in Remarks are bins. */
export function LocationsWarning(props: {
  sync: InventorySync;
  busy: boolean;
  onCreate: () => void;
  onWithout: () => void;
  onAgain: (options: Partial<SyncOptions>) => void;
  onBack: () => void;
  onCancel: () => void;
}) {
  const { sync, busy, onCreate, onWithout, onAgain, onBack, onCancel } = props;
  const groups = useQuery(syncQueries.binGroups(sync.id));
  const [said, setSaid] = useState<Record<string, boolean>>({});
  const changed = Object.keys(said).length;
  const counts = countsOf(sync);
  const count = counts.new_locations;
  const words = locationWords(counts);
  return (
    <Dialog
      onClose={onBack}
      title={`This import will make ${counted(count, "new bin")}`}
      description="Their names come from Remarks, where sellers keep the bin. Untick what is not a bin. Undoing the import removes those that are still empty."
      size="lg"
      locked={busy}
      footer={
        <>
          <div className="mr-auto">
            <Button variant="ghost" icon={ArrowLeft} onClick={onBack}>
              Back
            </Button>
          </div>
          <Button onClick={onCancel}>Cancel import</Button>
          <Button once onClick={onWithout}>
            Make none
          </Button>
          {changed > 0 ? (
            <Button
              variant="primary"
              loading={busy}
              onClick={() => onAgain({ bins: { ...sync.options.bins, ...said } })}
            >
              Preview with {formatCount(changed)} changed
            </Button>
          ) : (
            <Button variant="primary" loading={busy} onClick={onCreate}>
              {count > 0 ? "Make them and apply" : "Apply without bins"}
            </Button>
          )}
        </>
      }
    >
      <Loaded query={groups}>
        {(data) => (
          <>
            {words && <p className="mb-2 text-muted text-sm">{words}</p>}
            <BinGroups
              groups={data}
              said={said}
              onSay={setSaid}
              patterns={sync.options.bin_patterns ?? []}
              onPatterns={
                busy
                  ? null
                  : (patterns) =>
                      onAgain({ bins: { ...sync.options.bins, ...said }, bin_patterns: patterns })
              }
            />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
