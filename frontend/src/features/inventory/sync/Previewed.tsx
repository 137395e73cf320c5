import { MapPinPlus } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { isSameChoice, SeveralLocations } from "@/features/locations/public";
import { useCurrency } from "@/features/profile/public";
import { ApiError } from "@/shared/api/errors";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";
import { TypedCount } from "@/shared/ui/TypedCount";
import { Counts } from "./Counts";
import { CurrencyQuestion } from "./CurrencyQuestion";
import { LocationsWarning } from "./LocationsWarning";
import type { InventorySync, SyncCounts } from "./model";
import { runningSyncOf, useApplySync, usePreviewAgain } from "./mutations";
import { Reading } from "./Reading";
import {
  anotherStore,
  changesNothing,
  choiceOf,
  contentWords,
  countsOf,
  countToType,
  currencyQuestion,
  isOfBatch,
  isOfStore,
  locationsTitle,
  locationWords,
  plainWarnings,
  readWords,
  severalQuestion,
  toneOf,
} from "./rules";
import { SyncRows } from "./SyncRows";
import { UnknownLots } from "./UnknownLots";

/** The specification's sync warning dialog: all that would happen, before any of it does. */
export function Previewed({ sync, onClose }: { sync: InventorySync; onClose: () => void }) {
  const counts = countsOf(sync);
  const store = useCurrency();
  const amounts = sync.options.currency_action ? store : sync.currency;
  const [typed, setTyped] = useState("");
  const [atLocations, setAtLocations] = useState(false);
  const apply = useApplySync(sync.id);
  const preview = usePreviewAgain(sync.id);
  const toType = countToType(counts);
  const question = currencyQuestion(sync);
  const several = severalQuestion(sync);
  const [choice, setChoice] = useState(() => choiceOf(sync));
  const isChosenAnew = !isSameChoice(choice, choiceOf(sync));
  const busy = apply.isPending || preview.isPending;

  const start = () =>
    apply.mutate(toType === null ? null : Number(typed), {
      onError: () => setAtLocations(false),
    });
  const again = (options: Partial<InventorySync["options"]>) =>
    preview.mutate(
      // What was chosen beside it is not lost.
      { ...sync.options, ...choice, ...options },
    );
  const discard = () =>
    preview.mutate({ ...sync.options, currency_action: "stop" }, { onSettled: onClose });

  if (atLocations) {
    return (
      <LocationsWarning
        sync={sync}
        busy={busy}
        onCreate={start}
        onWithout={() => {
          setAtLocations(false);
          again({ create_locations: false });
        }}
        onAgain={(options) => {
          setAtLocations(false);
          again(options);
        }}
        onBack={() => setAtLocations(false)}
        onCancel={discard}
      />
    );
  }

  const blocked = whyNotApply({ counts, toType, typed, asking: question !== null, isChosenAnew });
  return (
    <Dialog
      onClose={onClose}
      title={titleOf(sync)}
      description={
        <>
          {sync.file_name}: {contentWords(counts, amounts)}. Nothing has changed yet.
        </>
      }
      size="xl"
      locked={busy}
      holdsInput={false} // a typed count confirms, and is nothing by itself
      footer={
        <>
          <Button once onClick={discard}>
            Cancel import
          </Button>
          <Button
            variant="primary"
            loading={busy}
            disabledReason={blocked}
            onClick={() => (counts.new_locations > 0 ? setAtLocations(true) : start())}
          >
            {counts.new_locations > 0 ? "Continue" : isOfBatch(sync) ? "Import" : "Apply import"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && <NotApplied error={apply.error} onAgain={() => again({})} />}
        <Reading sync={sync} busy={busy} onAgain={again} />
        <Findings sync={sync} />
        {question && (
          <CurrencyQuestion
            question={question}
            busy={preview.isPending}
            onRelabel={() => again({ currency_action: "relabel" })}
            onConvert={(rate) => again({ currency_action: "convert", rate })}
            onStop={discard}
          />
        )}
        {several && (
          <SeveralLocations question={several} choice={choice} onChoice={setChoice}>
            <Button
              size="sm"
              loading={preview.isPending}
              disabledReason={!isChosenAnew && "This is what the preview shows"}
              onClick={() => again({})}
            >
              Preview this choice
            </Button>
          </SeveralLocations>
        )}
        <FoundLocations counts={counts} onSee={() => setAtLocations(true)} />
        {!sync.options.create_locations && sync.options.reads_remarks !== false && (
          <NoLocationsMade
            loading={preview.isPending}
            onMake={() => again({ create_locations: true })}
          />
        )}
        <Warnings sync={sync} />
        {toType !== null && (
          <Removals sync={sync} count={toType} typed={typed} onTyped={setTyped} />
        )}
        <SyncRows id={sync.id} counts={counts} />
      </div>
    </Dialog>
  );
}

/** What the import would do, as a title. */
function titleOf(sync: InventorySync): string {
  if (!isOfBatch(sync)) return "This import will change your stock";
  const { batch } = sync.options;
  return batch?.into
    ? "This import will add to your batch"
    : `This import will make “${batch?.name}”`;
}

function Findings({ sync }: { sync: InventorySync }) {
  const counts = countsOf(sync);
  return (
    <>
      <Counts counts={counts} />
      {counts.unknown > 0 && (
        <UnknownLots
          counts={counts}
          count={counts.unknown_created || counts.unknown}
          isInStock={counts.unknown_created === 0}
          place={sync.target}
        />
      )}
      {changesNothing(counts) &&
        (isOfBatch(sync) ? (
          <Notice tone="info" title="No lot of this file can be imported" />
        ) : (
          <Notice tone="success" title="Nothing would change">
            Your stock agrees with {readWords(sync)} already.
          </Notice>
        ))}
    </>
  );
}

function NoLocationsMade({ loading, onMake }: { loading: boolean; onMake: () => void }) {
  return (
    <Notice
      tone="info"
      actions={
        <Button size="sm" loading={loading} onClick={onMake}>
          Make them after all
        </Button>
      }
    >
      Remarks that name no location of yours stay remarks; no locations are made.
    </Notice>
  );
}

function Warnings({ sync }: { sync: InventorySync }) {
  return plainWarnings(sync.warnings).map((warning) => (
    <Notice
      key={`${warning.code} ${warning.message}`}
      tone={toneOf(warning)}
      actions={
        warning.code === "no_currency" && (
          <ButtonLink size="sm" to={pathTo("settings", {}, "integrations")}>
            Settings
          </ButtonLink>
        )
      }
    >
      {warning.message}
    </Notice>
  ));
}

function NotApplied({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const navigate = useNavigate();
  const running = runningSyncOf(error);
  const isStale = error instanceof ApiError && /changed since/.test(error.message);
  return (
    <Notice
      tone="danger"
      title="It was not applied"
      actions={
        isStale ? (
          <Button size="sm" once onClick={onAgain}>
            New preview
          </Button>
        ) : (
          running !== null && (
            <Button size="sm" onClick={() => void navigate(`?sync=${running}`)}>
              Show the other one
            </Button>
          )
        )
      }
    >
      {problemText(error)}
    </Notice>
  );
}

/** The bins that the file names, and texts that are not taken for one. */
function FoundLocations({ counts, onSee }: { counts: SyncCounts; onSee: () => void }) {
  const words = locationWords(counts);
  const names = counts.new_locations + counts.left_out_names;
  if (names === 0 && !words) return null;
  return (
    <Notice
      tone="info"
      title={locationsTitle(counts.new_locations)}
      actions={
        names > 0 && (
          <Button
            size="sm"
            icon={<MapPinPlus aria-hidden="true" className="size-3.5" />}
            onClick={onSee}
          >
            See them
          </Button>
        )
      }
    >
      {words}
      {counts.left_out_names > 0 &&
        ` ${counted(counts.left_out_names, "other text")} in Remarks ${counts.left_out_names === 1 ? "does not look like a bin and is" : "do not look like bins and are"} kept as remarks.`}
      {counts.new_locations > 0 && " You can change this in the next step."}
    </Notice>
  );
}

/** The lots that would be set to 0: their number is typed to confirm. */
function Removals(props: {
  sync: InventorySync;
  count: number;
  typed: string;
  onTyped: (typed: string) => void;
}) {
  const { sync, count, typed, onTyped } = props;
  const counts = countsOf(sync);
  const suspicion = anotherStore(sync);
  return (
    <Notice
      tone="danger"
      title={
        suspicion
          ? `Is this your store${isOfStore(sync) ? "" : "'s file"}?`
          : `${formatCount(count)} of ${formatCount(counts.in_stock)} lots ${isOfStore(sync) ? "for sale" : "in stock"} are not in ${readWords(sync)}`
      }
    >
      {suspicion && <p>{suspicion}</p>}
      {counts.zeroed > 0 && (
        <p>
          {suspicion
            ? `${formatCount(counts.zeroed)} of ${formatCount(counts.in_stock)} lots`
            : "They"}{" "}
          would be set to quantity 0.
          {!isOfStore(sync) && " Is this the whole store, and not a part of it?"}
        </p>
      )}
      <p>No lot is deleted, and the import can be undone.</p>
      <TypedCount count={count} typed={typed} onTyped={onTyped} />
    </Notice>
  );
}

function whyNotApply(input: {
  counts: SyncCounts;
  toType: number | null;
  typed: string;
  asking: boolean;
  isChosenAnew: boolean;
}): string | null {
  const { counts, toType, typed, asking, isChosenAnew } = input;
  if (asking) return "First choose what happens to the currency";
  if (isChosenAnew) return "Preview first with what you chose for several bins";
  if (toType !== null && typed.trim() !== String(toType)) {
    return `Type ${toType} first: see above why`;
  }
  return changesNothing(counts) && counts.new_locations === 0 ? "There is nothing to change" : null;
}
