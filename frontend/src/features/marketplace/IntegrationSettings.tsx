import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { formatCount, formatDateTime } from "@/shared/lib/format";
import { paths } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { Badge, type Tone } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { ChoiceField } from "@/shared/ui/Field";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorState, Loaded, Loading, Notice, ProgressBar } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { Mark } from "./channels/Marks";
import { ForSaleButton } from "./forSale/ForSaleButton";
import type { Connection, ConnectionState } from "./model";
import {
  useConnectDemo,
  useDisconnect,
  usePause,
  useSaveGuideShare,
  useTestConnection,
} from "./mutations";
import { PriceRunNotice, PullStore } from "./parts";
import { marketplaceQueries } from "./queries";

const ConnectDialog = lazyPart(() => import("./ConnectDialog").then((m) => m.ConnectDialog));

const KeyDialog = lazyPart(() => import("./KeyDialog").then((m) => m.KeyDialog));

const states: Record<ConnectionState, { tone: Tone; text: string }> = {
  none: { tone: "neutral", text: "not connected" },
  untested: { tone: "warning", text: "not tested yet" },
  ok: { tone: "success", text: "connected" },
  refused: { tone: "danger", text: "refused" },
};

/** The store at the marketplace: connect, test, what is left of today's calls. */
export function IntegrationSettings() {
  const connection = useQuery(marketplaceQueries.connection());
  if (connection.isError) {
    return <ErrorState error={connection.error} onRetry={() => connection.refetch()} />;
  }
  if (!connection.data) return <Loading />;
  const { choices, marketplace } = connection.data;
  const others = choices.filter((each) => each.marketplace !== marketplace);
  const free = others.find((each) => each.state === "none");
  return (
    <div className="flex flex-col divide-y divide-line">
      <Store connection={connection.data} free={free} />
      {others.map(
        (each) =>
          each.state !== "none" && <OtherStore key={each.marketplace} at={each.marketplace} />,
      )}
    </div>
  );
}

/** A store beside the first: stock, orders and quantities are in step with both. */
function OtherStore({ at }: { at: Connection["marketplace"] }) {
  const connection = useQuery(marketplaceQueries.connectionAt(at));
  return <Loaded query={connection}>{(one) => <Store connection={one} at={at} />}</Loaded>;
}

function Store({
  connection,
  free,
  at,
}: {
  connection: Connection;
  /** Where another store can be connected. */
  free?: Connection["choices"][number] | undefined;
  /** Of a store beside the first. */
  at?: Connection["marketplace"];
}) {
  // A link may mean the act, and not the page that it is on. A demo store needs no secrets.
  const asked =
    useSearchParams()[0].has("connect") && connection.state === "none" && !connection.is_demo;
  const [open, setOpen] = useState<"connect" | "key" | "disconnect" | null>(
    asked ? "connect" : null,
  );
  const demo = useConnectDemo();
  const test = useTestConnection();
  const disconnect = useDisconnect();
  const pause = usePause();
  const isOneOfSeveral = connection.choices.filter(({ state }) => state !== "none").length > 1;
  const isConnected = connection.state !== "none";
  const { tone, text } =
    connection.has_store && !isConnected
      ? { tone: "neutral" as const, text: "connects when it is first used" }
      : states[connection.state];
  const isOwl = connection.marketplace === "brickowl";
  const owl = connection.choices.find((each) => each.marketplace === "brickowl");
  const failure = test.error ?? demo.error ?? disconnect.error ?? pause.error;
  return (
    <div className="flex flex-col gap-4 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        {isOneOfSeveral && <Mark of={connection} />}
        <span className="font-medium">{connection.marketplace_name}</span>
        <Badge tone={tone}>{text}</Badge>
        {connection.is_paused && <Badge tone="warning">paused</Badge>}
        {connection.is_demo && <Badge tone="info">demo</Badge>}
        <span className="text-muted text-xs">account</span>
      </div>
      <p className="max-w-prose text-muted">
        {aboutOf(connection)}
        {connection.testedAt && ` Last tested ${formatDateTime(connection.testedAt)}.`}
        {isOneOfSeveral &&
          connection.readAt &&
          ` Last in a sync ${formatDateTime(connection.readAt)}.`}
      </p>
      {connection.is_paused && (
        <Notice tone="warning" title="This store is paused">
          Syncs leave it out, and raise nothing elsewhere of lots that it has. Orders there are read
          when you resume it.
        </Notice>
      )}
      {connection.needs_plan && !connection.is_paused && (
        <Notice
          tone="info"
          title="Syncs leave this store out for now"
          actions={
            <ButtonLink size="sm" to={paths.store}>
              To the store page
            </ButtonLink>
          }
        >
          Pull it once, then choose “Compare with stock” and apply what it shows.
        </Notice>
      )}
      {connection.state === "refused" && <Refused connection={connection} />}
      {failure && <Notice tone="danger">{problemText(failure)}</Notice>}
      <div className="flex flex-wrap gap-2">
        {isConnected && <PullStore variant="primary" {...(at && { marketplace: at })} />}
        {connection.is_demo && !isConnected && (
          <Button
            variant="primary"
            loading={demo.isPending}
            onClick={() => demo.mutate("bricklink")}
          >
            Connect the demo store
          </Button>
        )}
        <Button
          variant={isConnected || connection.is_demo ? "secondary" : "primary"}
          onClick={() => setOpen(isOwl ? "key" : "connect")}
        >
          {isConnected ? (isOwl ? "Enter another key" : "Enter other secrets") : "Connect a store"}
        </Button>
        {!isConnected && owl && (
          <Button variant="ghost" onClick={() => setOpen("key")}>
            Sell at BrickOwl instead
          </Button>
        )}
        {isConnected && (
          <>
            <Button
              loading={test.isPending}
              onClick={() =>
                test.mutate(at, {
                  onSuccess: ({ state }) =>
                    state === "ok" && toast.success("The marketplace accepts your secrets"),
                })
              }
            >
              Test
            </Button>
            <ForSaleButton at={connection.marketplace} />
            <Button
              loading={pause.isPending}
              onClick={() =>
                pause.mutate(
                  { site: connection.marketplace, isPaused: !connection.is_paused },
                  {
                    onSuccess: ({ is_paused }) =>
                      toast.success(is_paused ? "Store paused" : "Store resumed"),
                  },
                )
              }
            >
              {connection.is_paused ? "Resume" : "Pause"}
            </Button>
            <ButtonLink to={paths.store}>Listings and syncs</ButtonLink>
            <Button variant="ghost" onClick={() => setOpen("disconnect")}>
              Disconnect
            </Button>
          </>
        )}
      </div>
      {isConnected && free && (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="ghost"
            loading={demo.isPending}
            onClick={() => {
              if (free.marketplace === "brickowl") setOpen("key");
              else if (free.is_demo) demo.mutate(free.marketplace);
              else setOpen("connect");
            }}
          >
            {`Sell at ${free.marketplace_name}, too`}
          </Button>
          <span className="text-muted text-sm">
            Pull it once: its lots are tied to those of your stock. What one store sells is then
            taken off the other by each sync.
          </span>
        </div>
      )}
      {isConnected && connection.has_prices && <GuideShare connection={connection} />}
      {!at && <PriceRunNotice />}
      {(isConnected || connection.calls.used > 0) && <Calls calls={connection.calls} />}
      {open === "connect" && (
        <ConnectDialog connection={connection} onClose={() => setOpen(null)} />
      )}
      {open === "key" && (
        <KeyDialog
          hasDemo={owl?.is_demo === true && owl.state === "none"}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "disconnect" && (
        <ConfirmDialog
          title="Disconnect the store?"
          confirmLabel="Disconnect"
          running={disconnect.isPending}
          onClose={() => setOpen(null)}
          onConfirm={() =>
            disconnect.mutate(at, {
              onSuccess: () => toast.success("Store disconnected"),
              onSettled: () => setOpen(null),
            })
          }
        >
          The secrets are deleted. Lots stay for sale there, and known prices stay; new ones are not
          fetched.
        </ConfirmDialog>
      )}
    </div>
  );
}

function aboutOf({ is_demo: isDemo, marketplace }: Connection): string {
  if (marketplace === "brickowl") {
    const what = isDemo ? "This is a demo of BrickOwl: nothing leaves this machine. " : "";
    return `${what}Lots are listed, changed and pulled at BrickOwl, and orders come from there; prices are not read there.`;
  }
  return isDemo
    ? "This installation works with a demo store: its prices are invented, and nothing leaves this machine."
    : "Prices come from your own store account at BrickLink. Its four secrets are kept encrypted and never shown again.";
}

const SHARES = [5, 10, 20, 30, 40, 50, 60, 70, 80];

/** How much of a day's calls *Get prices* may use. */
function GuideShare({ connection }: { connection: Connection }) {
  const { guide_share: share, calls } = connection;
  const save = useSaveGuideShare();
  const shares = SHARES.includes(share) ? SHARES : [...SHARES, share].toSorted((a, b) => a - b);
  return (
    <ChoiceField
      label="Share of a day's calls for prices"
      hint="A larger share prices a store sooner; the rest stays for listing, syncing and looking up."
      error={save.error && problemText(save.error)}
      className="max-w-sm"
      value={String(save.variables ?? share)}
      disabled={save.isPending}
      options={shares.map((each) => ({
        value: String(each),
        label: `${each} %: ${formatCount(Math.floor((calls.limit * each) / 100))} calls`,
      }))}
      onChange={(value) =>
        save.mutate(Number(value), {
          onSuccess: () => toast.success("Settings saved"),
        })
      }
    />
  );
}

function Refused({ connection }: { connection: Connection }) {
  const { outgoing_address: address, problem } = connection;
  return (
    <Notice tone="danger" title="The marketplace refuses these secrets">
      {problem}
      {address && (
        <>
          {" "}
          Register the token for <strong>{address}</strong>, or for 0.0.0.0 with mask 0.0.0.0 to
          allow every address, and enter the new token here.
        </>
      )}
    </Notice>
  );
}

function Calls({ calls }: { calls: Connection["calls"] }) {
  return (
    <section aria-label="Calls today" className="flex flex-col gap-2">
      <ProgressBar label="Calls today" done={calls.used} total={calls.limit} />
      <table className="w-full max-w-lg text-sm">
        <thead className="text-left text-muted text-xs">
          <tr>
            <th className="py-1 font-medium">For</th>
            <th className="py-1 text-right font-medium">Used</th>
            <th className="py-1 text-right font-medium">Left</th>
          </tr>
        </thead>
        <tbody>
          {calls.kinds.map((each) => (
            <tr key={each.kind}>
              <th scope="row" className="py-1 text-left font-normal">
                {each.name}
              </th>
              <td className="py-1 text-right tabular-nums">{formatCount(each.used)}</td>
              <td className="py-1 text-right tabular-nums">{formatCount(each.left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted text-xs">
        The count starts again at {formatDateTime(calls.resetsAt)}. Prices of many lots stop first,
        stock changes last.
      </p>
    </section>
  );
}
