import { useQuery, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check, PackageX, SkipForward } from "lucide-react";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useStore } from "zustand";
import { counted, formatCount } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { ScanButton } from "@/shared/scanner/ScanButton";
import { useScanner } from "@/shared/scanner/scans";
import { BackLink } from "@/shared/ui/BackLink";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { PageHeader } from "@/shared/ui/Card";
import { Field, Input } from "@/shared/ui/Field";
import { ItemImage } from "@/shared/ui/ItemImage";
import { ColorName, ConditionTag } from "@/shared/ui/Lot";
import { EmptyState, ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { type ShortReason, type Stop, shortReasons } from "../model";
import { undoPick, useEndWalk, useRefreshOrders } from "../mutations";
import { orderQueries } from "../queries";
import { type Heard, onPicked, outbox, putPick, sendNow } from "./outbox";

/**
 * One way past the bins for several orders: a scan or a key for each stop. What is picked is kept
 * here until it is stored, so a walk goes on without a connection and on another device.
 */
export function PickWalk({ id }: { id: number }) {
  const query = useQuery(orderQueries.stops(id));
  const client = useQueryClient();
  const refresh = useRefreshOrders();
  const waiting = useStore(outbox, (state) => state.waiting);
  const [putOff, setPutOff] = useState<readonly number[]>([]);
  const [wrong, setWrong] = useState<string | null>(null);
  const navigate = useNavigate();
  const end = useEndWalk();

  // A stop whose pick is on its way is passed already.
  const passed = new Set(waiting.filter(({ walk }) => walk === id).map(({ body }) => body.item_id));
  const stops = (query.data ?? []).filter((stop) => !passed.has(stop.item_id));
  const current =
    stops.find((stop) => !putOff.includes(stop.item_id)) ??
    putOff.flatMap((item) => stops.find((stop) => stop.item_id === item) ?? [])[0];

  const again = () => client.invalidateQueries({ queryKey: orderQueries.stops(id).queryKey });
  const hear = useEffectEvent(({ pick, answer, error }: Heard) => {
    if (pick.walk !== id) return;
    if (error) {
      toast.error(`${pick.name}: ${problemText(error)}`);
    } else if (answer) {
      tell(pick.name, answer);
      if (answer.is_over) refresh();
    }
    void again();
  });
  const tell = (name: string, answer: NonNullable<Heard["answer"]>) => {
    const { taken, already, elsewhere, short, movement_ids: moves } = answer;
    const parts = [
      taken > 0 && `${counted(taken, "piece")} taken`,
      already > 0 && `${formatCount(already)} were taken by somebody else`,
      elsewhere > 0 && `${formatCount(elsewhere)} now come from another bin`,
      short > 0 && `${formatCount(short)} fall short`,
    ].filter(Boolean);
    const undo = () =>
      undoPick(id, moves).then(
        () => void again(),
        (error) => void toast.error(problemText(error)),
      );
    toast[short > 0 || already > 0 ? "info" : "success"](`${name}: ${parts.join(", ")}`, {
      id: "pick",
      ...(moves.length > 0 && { action: { label: "Undo", run: undo } }),
    });
  };
  useEffect(() => onPicked((heard) => hear(heard)), []);
  useEffect(() => {
    const back = () => void sendNow();
    back();
    window.addEventListener("online", back);
    return () => window.removeEventListener("online", back);
  }, []);

  const pick = (stop: Stop, reason?: ShortReason, pieces?: ReadonlyMap<number, number>) => {
    setWrong(null);
    putPick(
      id,
      {
        item_id: stop.item_id,
        lines: stop.trays.map(({ line_id, quantity }) => ({
          line_id,
          quantity: pieces?.get(line_id) ?? quantity,
        })),
        ...(reason && { reason }),
      },
      stop.location_name || stop.item_number,
    );
  };
  const scan = (text: string) => {
    const code = text.trim().replace(/^loc:/i, "").toLocaleLowerCase();
    if (!code || !current) return;
    if (current.location_name.toLocaleLowerCase() === code) pick(current);
    else setWrong(text.trim());
  };
  useScanner(scan);

  return (
    <>
      <BackLink to="/app/orders">Orders</BackLink>
      <PageHeader
        title="Pick walk"
        actions={
          stops.length > 0 && (
            <Button
              variant="ghost"
              loading={end.isPending}
              onClick={() => end.mutate(id, { onSuccess: () => void navigate("/app/orders") })}
            >
              End the walk
            </Button>
          )
        }
      />
      <div className="flex max-w-3xl flex-col gap-4 pb-24">
        {waiting.length > 0 && (
          <Notice tone="info" title={`${counted(waiting.length, "stop")} not stored yet`}>
            Go on: they are kept here and sent as soon as the server answers.
          </Notice>
        )}
        {wrong !== null && current && (
          <Notice
            tone="danger"
            title={`Wrong bin: ${current.location_name || "none"} expected, ${wrong} scanned`}
          >
            Nothing was taken.
          </Notice>
        )}
        {query.isPending ? (
          <Loading />
        ) : query.error && stops.length === 0 ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : current ? (
          <>
            <CurrentStop
              key={current.item_id}
              stop={current}
              left={stops.length}
              onPick={(reason, pieces) => pick(current, reason, pieces)}
              onLater={() =>
                setPutOff((ids) => [
                  ...ids.filter((item) => item !== current.item_id),
                  current.item_id,
                ])
              }
              onScan={scan}
            />
            <Next stops={stops} current={current} />
          </>
        ) : (
          <EmptyState
            icon={<Check aria-hidden="true" className="size-5" />}
            title="Everything is picked"
            actions={
              <ButtonLink to="/app/orders?state=picked" variant="primary">
                To the orders to pack
              </ButtonLink>
            }
          />
        )}
      </div>
    </>
  );
}

const LONG_NAME = 16;

function CurrentStop(props: {
  stop: Stop;
  left: number;
  onPick: (reason?: ShortReason, pieces?: ReadonlyMap<number, number>) => void;
  onLater: () => void;
  onScan: (text: string) => void;
}) {
  const { stop, left, onPick, onLater, onScan } = props;
  const [typed, setTyped] = useState("");
  const [isShort, setShort] = useState(false);
  const place = stop.location_name || "No bin";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onScan(typed);
    setTyped("");
  };
  return (
    <section
      aria-label={`Now: ${place}`}
      className="rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <p className="text-muted text-sm">
        {left === 1 ? "The last stop" : `${formatCount(left)} stops left. Go to`}
      </p>
      <p
        role="status"
        className={clsx(
          "break-words font-semibold leading-tight tracking-tight",
          place.length > LONG_NAME ? "text-3xl sm:text-5xl" : "text-5xl sm:text-8xl",
        )}
      >
        {place}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <ItemImage
          src={stop.image_url}
          type="PART"
          name={stop.item_name || stop.item_number}
          colorName={stop.color_name}
          colorHtml={stop.color_html}
          size="lg"
        />
        <div className="min-w-40 flex-1">
          <p className="wrap-anywhere font-medium text-lg">{stop.item_name}</p>
          <p className="font-mono text-muted text-sm">{stop.item_number}</p>
          <p className="flex items-center gap-2">
            <ColorName name={stop.color_name} html={stop.color_html} />
            <ConditionTag condition={stop.condition} />
          </p>
          <p className="text-muted text-sm">{formatCount(stop.in_bin)} should be there</p>
        </div>
      </div>
      <ul aria-label="Trays" className="mt-3 flex flex-wrap gap-2">
        {stop.trays.map((tray) => (
          <li
            key={tray.line_id}
            className="flex items-baseline gap-2 rounded-control border border-line bg-sunken px-3 py-1.5"
          >
            <span className="font-semibold text-3xl tabular-nums">
              {formatCount(tray.quantity)}
            </span>
            <span>
              into <strong className="text-xl">{tray.tray}</strong>
            </span>
            <span className="text-muted text-xs">{tray.order_number}</span>
          </li>
        ))}
      </ul>
      {isShort ? (
        <NotAll stop={stop} onPick={onPick} onBack={() => setShort(false)} />
      ) : (
        <div className="sticky bottom-0 -mx-4 mt-3 flex flex-wrap items-center gap-2 border-line border-t bg-surface px-4 py-3 sm:static sm:mx-0 sm:border-0 sm:p-0">
          <Button
            // One key for each stop: Enter, wherever the last one was confirmed.
            autoFocus
            variant="primary"
            size="lg"
            icon={<Check aria-hidden="true" className="size-5 shrink-0" />}
            onClick={() => onPick()}
          >
            Taken: {formatCount(stop.quantity)}
          </Button>
          <ScanButton iconOnly keepOpen />
          <Button
            size="lg"
            variant="ghost"
            icon={<PackageX aria-hidden="true" className="size-4" />}
            onClick={() => setShort(true)}
          >
            Not all there
          </Button>
          <Button
            size="lg"
            variant="ghost"
            icon={<SkipForward aria-hidden="true" className="size-4" />}
            disabledReason={left === 1 && "It is the last one"}
            onClick={onLater}
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
      )}
    </section>
  );
}

/** How many there are, tray by tray, and why not all. Other bins are looked for by the server. */
function NotAll(props: {
  stop: Stop;
  onPick: (reason: ShortReason, pieces: ReadonlyMap<number, number>) => void;
  onBack: () => void;
}) {
  const { stop, onPick, onBack } = props;
  const [taken, setTaken] = useState<ReadonlyMap<number, string>>(new Map());
  const pieces = new Map(
    stop.trays.map(({ line_id }) => [line_id, Number(taken.get(line_id) || 0)]),
  );
  const isGood = stop.trays.every(({ line_id, quantity }) => {
    const count = pieces.get(line_id) ?? 0;
    return Number.isInteger(count) && count >= 0 && count <= quantity;
  });
  return (
    <div className="mt-3 flex flex-col gap-3 border-line border-t pt-3">
      <div className="flex flex-wrap gap-2">
        {stop.trays.map(({ line_id, tray, quantity }) => (
          <Field key={line_id} label={`Into ${tray}, of ${formatCount(quantity)}`}>
            <Input
              value={taken.get(line_id) ?? ""}
              placeholder="0"
              inputMode="numeric"
              className="w-24"
              onChange={(event) => setTaken((now) => new Map(now).set(line_id, event.target.value))}
            />
          </Field>
        ))}
      </div>
      <p className="text-muted text-sm">
        The rest is looked for in your other bins. What is nowhere falls short on its order.
      </p>
      <div className="flex flex-wrap gap-2">
        {shortReasons.map(({ value, label }) => (
          <Button
            key={value}
            size="lg"
            disabledReason={!isGood && "As many as were asked for, or fewer"}
            onClick={() => onPick(value, pieces)}
          >
            {label}
          </Button>
        ))}
        <Button size="lg" variant="ghost" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

function Next({ stops, current }: { stops: readonly Stop[]; current: Stop }) {
  const rest = stops.filter(({ item_id }) => item_id !== current.item_id);
  if (rest.length === 0) return null;
  return (
    <p className="text-muted text-sm">
      Then{" "}
      {rest
        .slice(0, 12)
        .map(({ location_name }) => location_name || "no bin")
        .join(", ")}
      {rest.length > 12 && ` and ${formatCount(rest.length - 12)} more`}
    </p>
  );
}
