import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { formatCount } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { ErrorState, Loading } from "@/shared/ui/states";
import type { InventorySync } from "./model";
import { syncQueries } from "./queries";
import { countsOf, locationWords } from "./rules";

const naturally = new Intl.Collator("en", { numeric: true }).compare;

/** The specification's sync warning dialog for locations: which ones would be made. */
export function LocationsWarning(props: {
  sync: InventorySync;
  busy: boolean;
  onCreate: () => void;
  onWithout: () => void;
  onBack: () => void;
  onCancel: () => void;
}) {
  const { sync, busy, onCreate, onWithout, onBack, onCancel } = props;
  const names = useQuery(syncQueries.newLocations(sync.id));
  const counts = countsOf(sync);
  const count = counts.new_locations;
  const words = locationWords(counts);
  const locations = count === 1 ? "location" : "locations";
  return (
    <Dialog
      open
      onClose={onBack}
      title={`This import will make ${formatCount(count)} new ${locations}`}
      description="Their names stand in Remarks, where sellers keep the bin. They are made without limits; undoing the import removes those that are empty then."
      size="lg"
      locked={busy}
      footer={
        <>
          <div className="mr-auto">
            <Button
              variant="ghost"
              icon={<ArrowLeft aria-hidden="true" className="size-4" />}
              onClick={onBack}
            >
              Back
            </Button>
          </div>
          <Button onClick={onCancel}>Cancel import</Button>
          <Button once onClick={onWithout}>
            Make none
          </Button>
          <Button variant="primary" loading={busy} onClick={onCreate}>
            Make them and apply
          </Button>
        </>
      }
    >
      {names.error ? (
        <ErrorState error={names.error} onRetry={() => void names.refetch()} />
      ) : !names.data ? (
        <Loading />
      ) : (
        <>
          {words && <p className="mb-2 text-muted text-sm">{words}</p>}
          <ul
            aria-label="New locations"
            className="flex max-h-96 flex-wrap gap-1.5 overflow-y-auto rounded-control bg-sunken p-2"
          >
            {names.data
              .map(({ name }) => name)
              .sort(naturally)
              .map((name) => (
                <li
                  key={name}
                  className="max-w-full truncate rounded border border-line bg-surface px-1.5 py-0.5 font-mono text-xs"
                >
                  {name}
                </li>
              ))}
          </ul>
          {count > names.data.length && (
            <p className="mt-2 text-muted text-xs">
              and {formatCount(count - names.data.length)} more.
            </p>
          )}
        </>
      )}
    </Dialog>
  );
}
