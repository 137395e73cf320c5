import { clsx } from "clsx";
import { Check, MapPin, SkipForward, Wand } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { ListWithStow } from "@/features/marketplace/public";
import { formatCount } from "@/shared/lib/format";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { useScanner } from "@/shared/scanner/scans";
import { BackLink } from "@/shared/ui/BackLink";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { Field, Input } from "@/shared/ui/Field";
import { ColorName, ConditionTag, LotName } from "@/shared/ui/Lot";
import { EmptyState, ErrorState, Loading, Notice, ProgressBar } from "@/shared/ui/states";
import type { Batch, BatchItem } from "../model";
import { LocationDialog } from "../parts";
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
  const done = batch.stats.stowed_lots + batch.stats.listed_lots;

  return (
    <>
      <BackLink to={`/app/batches?batch=${batch.id}`}>{batch.name}</BackLink>
      <PageHeader title="Put-away walk" actions={<ListWithStow hideWhenOff />} />
      <div className="flex max-w-3xl flex-col gap-4 pb-24">
        <ProgressBar label="Lots put away" done={done} total={batch.stats.total_lots} />
        {batch.is_archived && <Notice tone="warning" title="This batch is archived: restore it" />}
        {said && (
          <InView of={said}>
            <Answer said={said} walk={walk} onPlace={setPlacing} />
          </InView>
        )}
        {query.isPending ? (
          <Loading />
        ) : query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : current ? (
          <>
            <CurrentStop stop={current} walk={walk} left={stops.length} />
            <Next stops={stops} current={current} onGo={walk.goTo} />
          </>
        ) : (
          homeless.length === 0 && (
            <EmptyState
              icon={<Check aria-hidden="true" className="size-5" />}
              title="Everything is put away"
              actions={
                <ButtonLink to={`/app/batches?batch=${batch.id}`} variant="primary">
                  To the batch
                </ButtonLink>
              }
            />
          )
        )}
        {homeless.length > 0 && (
          <Homeless
            items={homeless}
            busy={walk.busy}
            onPlan={() => void walk.planHomeless(homeless)}
            onPlace={() => setPlacing(homeless.map(({ id }) => id))}
          />
        )}
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

/** What is new is scrolled to: on a phone it would come about above what is seen. */
function InView({ of, children }: { of: unknown; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is new
  useEffect(() => {
    frame.current?.scrollIntoView?.({ block: "nearest" });
  }, [of]);
  return (
    <div ref={frame} className="scroll-mt-20 scroll-mb-4">
      {children}
    </div>
  );
}

/** From so many letters on a bin's name is a sentence, and wants less of the screen. */
const LONG_NAME = 16;

function CurrentStop(props: { stop: Stop; walk: ReturnType<typeof useWalk>; left: number }) {
  const { stop, walk, left } = props;
  const [typed, setTyped] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void walk.scan(typed);
    setTyped("");
  };
  return (
    <section
      aria-label={`Now: ${stop.name}`}
      className="rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <p className="text-muted text-sm">
        {left === 1 ? "The last bin" : `${formatCount(left)} bins left. Go to`}
      </p>
      <InView of={stop.locationId}>
        <p
          role="status"
          className={clsx(
            "break-words font-semibold leading-tight tracking-tight",
            stop.name.length > LONG_NAME ? "text-3xl sm:text-5xl" : "text-5xl sm:text-8xl",
          )}
        >
          {stop.name}
        </p>
      </InView>
      <ul className="mt-3 flex flex-col divide-y divide-line border-line border-y">
        {stop.items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
      <p className="mt-2 text-muted text-sm">
        {formatCount(stop.items.length)} {stop.items.length === 1 ? "lot" : "lots"},{" "}
        {formatCount(stop.pieces)} {stop.pieces === 1 ? "piece" : "pieces"}
      </p>
      <div className="sticky bottom-0 -mx-4 mt-3 flex flex-wrap items-center gap-2 border-line border-t bg-surface px-4 py-3 sm:static sm:mx-0 sm:border-0 sm:p-0">
        <Button
          // One key for each bin: Enter, wherever the last one was confirmed.
          key={stop.locationId}
          autoFocus
          variant="primary"
          size="lg"
          className="wrap-anywhere h-auto! min-h-11 min-w-0 shrink! whitespace-normal! py-1.5 text-left"
          loading={walk.busy}
          icon={<Check aria-hidden="true" className="size-5 shrink-0" />}
          onClick={() => void walk.stow(stop)}
        >
          It is in {stop.name}
        </Button>
        <ScanButton iconOnly keepOpen />
        <Button
          size="lg"
          variant="ghost"
          icon={SkipForward}
          disabledReason={left === 1 && "It is the last one"}
          onClick={walk.skip}
        >
          Later
        </Button>
        <form onSubmit={submit} className="min-w-36 flex-1">
          <Field label="Scan or type the bin" hideLabel>
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              placeholder="Scan or type the bin"
              autoComplete="off"
              autoCapitalize="characters"
              enterKeyHint="go"
            />
          </Field>
        </form>
      </div>
    </section>
  );
}

function Row({ item }: { item: BatchItem }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-12 text-right font-semibold text-xl tabular-nums">
        {formatCount(item.qty)}
        <span aria-hidden="true"> ×</span>
        <span className="sr-only"> pieces</span>
      </span>
      <span className="min-w-40 flex-1">
        <LotName
          number={item.item_number}
          name={item.item_name}
          type={item.item_type}
          image={item.image_url}
          colorName={item.color_name}
          colorHtml={item.color_html}
          isKnown={item.is_known}
          size="md"
        />
      </span>
      <span className="flex items-center gap-2">
        <ColorName name={item.color_name} html={item.color_html} />
        <ConditionTag condition={item.condition} />
      </span>
    </li>
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
        <Notice tone="danger" title={`No location has the code ${said.code}`}>
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
                Go on with {later.name}
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
    <Notice
      tone="info"
      title={`${formatCount(count)} ${count === 1 ? "lot has" : "lots have"} no bin yet`}
    >
      They join the walk as soon as they are planned.
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
