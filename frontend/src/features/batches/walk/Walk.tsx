import { Check, MapPin, Wand } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ListWithStow, useHasStore } from "@/features/marketplace/public";
import { counted, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { useScanner } from "@/shared/scanner/scans";
import { Button, ButtonLink, PlainButton } from "@/shared/ui/Button";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import {
  BinName,
  InView,
  LOT_LIST,
  pictureSize,
  WalkCount,
  WalkFoot,
  WalkHead,
  WalkLot,
  WalkProgress,
  WalkRows,
  WalkScreen,
  WalkStop,
} from "@/shared/walk/WalkFrame";
import { type NextStep, nextStepOf } from "../detail/nextStep";
import type { Batch, BatchItem } from "../model";
import { LocationDialog, OpenedItem } from "../parts";
import type { Stop } from "./stops";
import { type Said, useWalk } from "./useWalk";

/**
 * Puts a batch away, bin by bin, with one scan or key for each. Each stow is saved at once, so an
 * interrupted walk continues at the same bin.
 */
export function Walk({ batch }: { batch: Batch }) {
  const walk = useWalk(batch.id);
  const { query, stops, homeless, current, said } = walk;
  const [placing, setPlacing] = useState<number[] | null>(null);
  useScanner((code) => void walk.scan(code));
  const done = batch.stats.stowed_lots + batch.stats.listed_lots + walk.waiting;

  const noBin = homeless.length > 0 && (
    <Homeless
      items={homeless}
      busy={walk.busy}
      onPlan={() => void walk.planHomeless(homeless)}
      onPlace={() => setPlacing(homeless.map(({ id }) => id))}
    />
  );

  return (
    <>
      <WalkScreen>
        <WalkHead
          to={pathTo("batches", { batch: batch.id })}
          back="Batch"
          title={`Put away: ${batch.name}`}
        >
          {`${formatCount(done)} of ${formatCount(batch.stats.total_lots)} lots`}
        </WalkHead>
        <WalkProgress label="Lots put away" done={done} total={batch.stats.total_lots} />
        <ListWithStow hideWhenOff />
        {batch.is_archived && <Notice tone="warning" title="This batch is archived: restore it" />}
        {said && (
          <InView of={said}>
            <Answer said={said} walk={walk} onPlace={setPlacing} />
          </InView>
        )}
        {query.isPending ? (
          <Loading />
        ) : query.error && !query.data ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : current ? (
          <CurrentStop
            key={current.locationId}
            stop={current}
            walk={walk}
            left={stops.length}
            onPlace={setPlacing}
          />
        ) : (
          homeless.length === 0 && (
            <EmptyState
              icon={Check}
              title="Everything is put away"
              actions={<Onward batch={batch} />}
            />
          )
        )}
        {!current && noBin}
      </WalkScreen>
      <div className="mx-auto flex max-w-3xl flex-col gap-3 pt-6 pb-6">
        {current && <Next stops={stops} current={current} onGo={walk.goTo} />}
        {current && noBin}
      </div>
      {placing && (
        <LocationDialog
          batchId={batch.id}
          ids={placing}
          present={null}
          onClose={() => setPlacing(null)}
          onDone={() => {
            setPlacing(null);
            walk.clear();
            void walk.again();
          }}
        />
      )}
    </>
  );
}

const VERBS: Partial<Record<NonNullable<NextStep>, string>> = {
  export: "Export",
  list: "List",
  price: "Price",
};

/** The batch's next step after the walk. */
function Onward({ batch }: { batch: Batch }) {
  const next = nextStepOf(batch, useHasStore());
  const lots = counted(batch.stats.stowed_lots, "lot");
  const verb = next && VERBS[next];
  const words = verb ? `${verb} ${lots}` : "To the batch";
  return (
    <>
      {verb && (
        <ButtonLink to={pathTo("batches", { batch: batch.id })} size="lg">
          To the batch
        </ButtonLink>
      )}
      <ButtonLink
        to={pathTo("batches", { batch: batch.id, ...(next === "list" && { list: 1 }) })}
        variant="primary"
        size="lg"
      >
        {words}
      </ButtonLink>
    </>
  );
}

/** What may be wrong at a bin: the lot is asked for, then what to do with it. */
type Trouble = "missing" | "noRoom";

function CurrentStop(props: {
  stop: Stop;
  walk: ReturnType<typeof useWalk>;
  left: number;
  onPlace: (ids: number[]) => void;
}) {
  const { stop, walk, left, onPlace } = props;
  const { next } = walk;
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const settle = (kind: Trouble, ids: number[]) => {
    setTrouble(null);
    if (kind === "noRoom") onPlace(ids);
    else setOpened(ids[0] ?? null);
  };
  const ask = (kind: Trouble) => {
    const ids = stop.items.map(({ id }) => id);
    if (ids.length === 1) settle(kind, ids);
    else setTrouble(kind);
  };
  return (
    <WalkStop name={stop.name}>
      <InView of={stop.locationId}>
        <BinName>{stop.name}</BinName>
      </InView>
      <p className="flex justify-between gap-2 py-2">
        <span>
          {counted(stop.pieces, "piece")}, {counted(stop.items.length, "lot")}
        </span>
        <span className="text-muted text-sm">
          {left === 1 ? "The last bin" : `${formatCount(left)} bins left`}
        </span>
      </p>
      <WalkRows label={`What goes into ${stop.name}`}>
        {trouble ? (
          <WhichLot
            stop={stop}
            trouble={trouble}
            onChoose={(ids) => settle(trouble, ids)}
            onBack={() => setTrouble(null)}
          />
        ) : (
          <ul aria-label="Lots" className={LOT_LIST}>
            {stop.items.map((item) => (
              <li key={item.id}>
                <WalkLot lot={item} name={item.item_name} size={pictureSize(stop.items.length)}>
                  <WalkCount pieces={item.qty} />
                </WalkLot>
              </li>
            ))}
          </ul>
        )}
      </WalkRows>
      {!trouble && (
        <div data-foot="" className="flex justify-between gap-4 pt-1">
          <Button variant="ghost" size="sm" onClick={() => ask("missing")}>
            Something is missing
          </Button>
          <Button variant="ghost" size="sm" onClick={() => ask("noRoom")}>
            It does not fit
          </Button>
        </div>
      )}
      <WalkFoot
        label={stop.pieces === 1 ? "It is in" : `All ${formatCount(stop.pieces)} are in`}
        loading={walk.busy}
        onConfirm={() => void walk.stow(stop)}
        next={
          next ? (
            <PlainButton className="min-h-10 text-left hover:text-ink" onClick={walk.skip}>
              Later, next is <strong className="whitespace-nowrap text-ink">{next.name}</strong>
            </PlainButton>
          ) : (
            "This is the last bin"
          )
        }
        onScan={(text) => void walk.scan(text)}
      />
      {opened !== null && (
        <OpenedItem
          id={opened}
          onClose={() => {
            setOpened(null);
            void walk.again();
          }}
        />
      )}
    </WalkStop>
  );
}

/** Asks which lots of a bin are meant. */
function WhichLot(props: {
  stop: Stop;
  trouble: Trouble;
  onChoose: (ids: number[]) => void;
  onBack: () => void;
}) {
  const { stop, trouble, onChoose, onBack } = props;
  return (
    <fieldset className="flex flex-wrap gap-2 py-3">
      <legend className="font-medium">
        {trouble === "missing" ? "Which lot has fewer pieces?" : "What does not fit?"}
      </legend>
      {stop.items.map((item) => (
        <Button key={item.id} className="max-w-full" onClick={() => onChoose([item.id])}>
          <span className="truncate">
            {item.item_name || item.item_number} {item.color_name}
          </span>
        </Button>
      ))}
      {trouble === "noRoom" && (
        <Button onClick={() => onChoose(stop.items.map(({ id }) => id))}>None of them</Button>
      )}
      <Button variant="ghost" onClick={onBack}>
        Back
      </Button>
    </fieldset>
  );
}

/** The bins after this one, to see the way and to go out of turn. */
function Next(props: { stops: readonly Stop[]; current: Stop; onGo: (stop: Stop) => void }) {
  const { stops, current, onGo } = props;
  const rest = stops.filter(({ locationId }) => locationId !== current.locationId);
  if (rest.length === 0) return null;
  return (
    <section aria-label="The other bins">
      <h2 className="pb-1 font-medium text-muted text-sm">Then</h2>
      <ul className="flex flex-wrap gap-2">
        {rest.slice(0, 30).map((stop) => (
          <li key={stop.locationId}>
            <Button size="sm" onClick={() => onGo(stop)}>
              {stop.name}
              <span className="text-muted tabular-nums">{formatCount(stop.items.length)}</span>
            </Button>
          </li>
        ))}
        {rest.length > 30 && (
          <li className="self-center text-muted text-sm">
            and {formatCount(rest.length - 30)} more
          </li>
        )}
      </ul>
    </section>
  );
}

function Answer(props: {
  said: Said;
  walk: ReturnType<typeof useWalk>;
  onPlace: (ids: number[]) => void;
}) {
  const { said, walk, onPlace } = props;
  switch (said.kind) {
    case "done":
      return <Notice tone="success" title={said.text} />;
    case "idle":
      return <Notice tone="info" title={said.text} />;
    case "unknown":
      return (
        <Notice tone="danger" title={`No bin has the code ${said.code}`}>
          Nothing was stowed. Scan the label again, or type the bin's name.
        </Notice>
      );
    case "wrong": {
      const { expected, scanned, later } = said;
      return (
        <Notice
          tone="danger"
          title={`Wrong bin: ${expected.name} expected, ${scanned.name} scanned`}
        >
          Nothing was stowed.
          {later && ` ${scanned.name} comes later, for other lots.`}
          <Choices>
            {later && (
              <Button size="sm" onClick={() => walk.goTo(later)}>
                Continue with {later.name}
              </Button>
            )}
            <Button size="sm" once onClick={() => void walk.stow(expected, scanned)}>
              Stow here instead
            </Button>
            <Button size="sm" variant="ghost" onClick={walk.clear}>
              Back
            </Button>
          </Choices>
        </Notice>
      );
    }
    case "full": {
      const { place, moved, left } = said;
      return (
        <Notice
          tone="warning"
          title={place ? `${place} has no room for all of it` : "Some have no place"}
          actions={
            left.length > 0 && (
              <Button size="sm" onClick={() => onPlace(left.map(({ id }) => id))}>
                Choose another bin
              </Button>
            )
          }
        >
          <ul className="flex flex-col gap-0.5">
            {moved.map(({ item, to }) => (
              <li key={item}>
                {item}: now planned for <strong>{to}</strong>
              </li>
            ))}
            {left.map((item) => (
              <li key={item.id}>
                {item.name}: {item.reason}
              </li>
            ))}
          </ul>
        </Notice>
      );
    }
  }
}

function Homeless(props: {
  items: readonly BatchItem[];
  busy: boolean;
  onPlan: () => void;
  onPlace: () => void;
}) {
  const count = props.items.length;
  return (
    <Notice tone="info" title={`${counted(count, "lot has", "lots have")} no bin yet`}>
      Give them bins, and they join this walk.
      <Choices>
        <Button
          size="sm"
          loading={props.busy}
          icon={<Wand aria-hidden="true" className="size-3.5" />}
          onClick={props.onPlan}
        >
          Recommend bins
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<MapPin aria-hidden="true" className="size-3.5" />}
          onClick={props.onPlace}
        >
          Choose one
        </Button>
      </Choices>
    </Notice>
  );
}

/** Below the text: on a phone buttons beside it would leave it no room. */
function Choices({ children }: { children: ReactNode }) {
  return <div className="mt-2 flex flex-wrap gap-2">{children}</div>;
}
