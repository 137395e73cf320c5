import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { isSameChoice, SeveralLocations } from "@/features/locations/public";
import { useCurrency } from "@/features/profile/public";
import { ApiError } from "@/shared/api/errors";
import { numberOf } from "@/shared/lib/amounts";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { InputField } from "@/shared/ui/Field";
import { SegmentedControl } from "@/shared/ui/SegmentedControl";
import { Loaded, Notice } from "@/shared/ui/states";
import { TypedCount } from "@/shared/ui/TypedCount";
import { useControl } from "@/shared/ui/useControl";
import { BinGroups } from "./BinGroups";
import { Counts } from "./Counts";
import type { InventorySync, SyncCounts } from "./model";
import { isRunning, runningSyncOf, type useApplySync, usePreviewAgain } from "./mutations";
import { syncQueries } from "./queries";
import { Reading } from "./Reading";
import {
  anotherStore,
  binsIn,
  changesNothing,
  choiceOf,
  contentWords,
  countsOf,
  countToType,
  currencyQuestion,
  isOfBatch,
  isOfStore,
  locationWords,
  lotsText,
  plainWarnings,
  type CurrencyQuestion as Question,
  readWords,
  severalQuestion,
  toneOf,
} from "./rules";
import { SyncRows } from "./SyncRows";
import { UnknownLots } from "./UnknownLots";

/**
 * The specification's sync warning dialogs: all that would happen to lots and bins, before any of it
 * does. Each question has its default chosen; one press takes all answers.
 */
export function Previewed(props: {
  sync: InventorySync;
  apply: ReturnType<typeof useApplySync>;
  decisions: Decisions;
  onClose: () => void;
}) {
  const { sync, apply, decisions, onClose } = props;
  const counts = countsOf(sync);
  const store = useCurrency();
  const amounts = sync.options.currency_action ? store : sync.currency;
  const [typed, setTyped] = useState("");
  const preview = usePreviewAgain(sync.id);
  const toType = countToType(counts);
  const question = currencyQuestion(sync);
  const action = useControl<CurrencyAction>("relabel");
  const rate = useControl("");
  const several = severalQuestion(sync);
  const [choice, setChoice] = useState(() => choiceOf(sync));
  const [said, setSaid] = useState<Record<string, boolean>>({});
  const names = counts.new_locations + counts.left_out_names;
  const groups = useQuery({ ...syncQueries.binGroups(sync.id), enabled: names > 0 });
  const busy = apply.isPending || preview.isPending || decisions.isMade;

  const isDecided = Object.keys(said).length > 0 || !isSameChoice(choice, choiceOf(sync));
  const decided: Partial<InventorySync["options"]> = {
    ...sync.options,
    ...choice,
    ...(Object.keys(said).length > 0 && { bins: { ...sync.options.bins, ...said } }),
  };
  const again = (options: Partial<InventorySync["options"]>) =>
    preview.mutate(
      // What was chosen beside it is not lost.
      { ...decided, ...options },
      { onSuccess: () => setSaid({}) },
    );
  const discard = () =>
    preview.mutate({ ...sync.options, currency_action: "stop" }, { onSettled: onClose });
  const start = () => {
    if (!question && !isDecided) return apply.mutate(toType === null ? null : Number(typed));
    decisions.make(typed);
    preview.mutate(
      {
        ...decided,
        ...(question && { currency_action: action.value }),
        ...(question && action.value === "convert" && { rate: rateOf(rate.value) }),
      },
      { onError: decisions.forget },
    );
  };
  const bins = groups.data ? binsIn(groups.data, said) : counts.new_locations;
  const needsRate = question !== null && action.value === "convert" && !rateOf(rate.value);

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
            disabledReason={
              needsRate
                ? "Type the rate"
                : whyNotApply({
                    counts,
                    toType,
                    typed,
                    bins,
                    isDecided: isDecided || question !== null,
                  })
            }
            onClick={start}
          >
            {`Import ${lotsText(counts.lots - counts.unreadable)}${bins > 0 ? ` and ${counted(bins, "bin")}` : ""}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && <NotApplied error={apply.error} onAgain={() => again({})} />}
        <Reading sync={sync} busy={busy} onAgain={again} />
        <Findings sync={sync} />
        <Warnings sync={sync} />
        {question && <CurrencyQuestion {...{ question, action, rate }} />}
        {several && <SeveralLocations question={several} choice={choice} onChoice={setChoice} />}
        {names > 0 && (
          <section aria-labelledby="bins" className="flex flex-col gap-2">
            <header className="flex flex-wrap items-baseline justify-between gap-2">
              <h3 id="bins" className="font-semibold">
                Which of these are bins?
              </h3>
              {counts.new_locations > 0 && (
                <Button
                  size="sm"
                  variant="ghost"
                  loading={preview.isPending}
                  onClick={() => again({ create_locations: false })}
                >
                  Import without bins
                </Button>
              )}
            </header>
            <Loaded query={groups}>
              {(data) => (
                <BinGroups
                  groups={data}
                  said={said}
                  onSay={setSaid}
                  patterns={sync.options.bin_patterns ?? []}
                  onPatterns={busy ? null : (bin_patterns) => again({ bin_patterns })}
                />
              )}
            </Loaded>
          </section>
        )}
        {locationWords(counts) && <p className="text-muted text-sm">{locationWords(counts)}</p>}
        {!sync.options.create_locations && sync.options.reads_remarks !== false && (
          <NoLocationsMade
            loading={preview.isPending}
            onMake={() => again({ create_locations: true })}
          />
        )}
        {toType !== null && (
          <Removals sync={sync} count={toType} typed={typed} onTyped={setTyped} />
        )}
        <SyncRows id={sync.id} counts={counts} />
      </div>
    </Dialog>
  );
}

/** What was read, and where it goes. */
function titleOf(sync: InventorySync): string {
  const lots = lotsText(countsOf(sync).lots);
  if (!isOfBatch(sync)) return `${lots}, ready to import`;
  const { batch } = sync.options;
  return batch?.into ? `${lots} for your batch` : `${lots} for the new batch “${batch?.name}”`;
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
          Create the bins after all
        </Button>
      }
    >
      Remarks that name no bin of yours stay remarks; no bins are created.
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
  bins: number;
  isDecided: boolean;
}): string | null {
  const { counts, toType, typed } = input;
  if (toType !== null && typed.trim() !== String(toType)) {
    return `Type ${toType} first: see above why`;
  }
  if (input.isDecided || input.bins > 0) return null;
  return changesNothing(counts) ? "There is nothing to change" : null;
}

type Decisions = ReturnType<typeof useDecisions>;

/**
 * What was decided changes the preview first. Where the new one asks nothing more, it is applied
 * without another press.
 */
export function useDecisions(
  sync: InventorySync | undefined,
  onApply: (typed: number | null) => void,
) {
  const [made, setMade] = useState<{ over: InventorySync; typed: string } | null>(null);
  useEffect(() => {
    if (!sync || !made || sync === made.over || isRunning(sync)) return;
    setMade(null);
    if (sync.state !== "previewed" || currencyQuestion(sync)) return;
    const counts = countsOf(sync);
    const toType = countToType(counts);
    if (toType !== null && made.typed !== String(toType)) return;
    if (!changesNothing(counts) || counts.new_locations > 0) onApply(toType);
  }, [sync, made, onApply]);
  return {
    isMade: made !== null,
    make: (typed: string) => sync && setMade({ over: sync, typed: typed.trim() }),
    forget: () => setMade(null),
  };
}

type CurrencyAction = "relabel" | "convert";

/** The rate as it is sent; empty while it cannot be read. */
const rateOf = (text: string): string => {
  const number = numberOf(text);
  return Number(number) > 0 ? number : "";
};

/** Amounts in a foreign currency: imported as they are, or converted. */
function CurrencyQuestion(props: {
  question: Question;
  action: ReturnType<typeof useControl<CurrencyAction>>;
  rate: ReturnType<typeof useControl<string>>;
}) {
  const { question, action, rate } = props;
  const { file, store } = question;
  return (
    <Notice tone="warning" title={`The file is in ${file}, your store in ${store}`}>
      <div className="mt-2 flex flex-col items-start gap-3 text-ink">
        <SegmentedControl
          label="What happens to its amounts"
          {...action}
          options={{ relabel: `Keep the numbers, as ${store}`, convert: "Convert" }}
        />
        <p className="text-muted text-sm">
          {action.value === "relabel"
            ? `0.10 ${file} becomes 0.10 ${store}: the file only names the wrong currency.`
            : "Every price and cost is multiplied by your rate."}
        </p>
        {action.value === "convert" && (
          <InputField
            label={`One ${file} is how many ${store}?`}
            className="w-52"
            error={rate.value !== "" && !rateOf(rate.value) && "A number above 0, such as 0.92."}
            numeric
            {...rate}
            placeholder="0.92"
          />
        )}
      </div>
    </Notice>
  );
}
