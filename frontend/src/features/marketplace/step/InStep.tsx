import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { counted, formatAgo, formatCount } from "@/shared/lib/format";
import { pathTo } from "@/shared/lib/paths";
import { keysOf } from "@/shared/lib/records";
import { Badge } from "@/shared/ui/Badge";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { ChoiceField, InputField } from "@/shared/ui/Field";
import { type SimpleColumn, SimpleTable } from "@/shared/ui/SimpleTable";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { Mark } from "../channels/Marks";
import { type Channel, useChannels } from "../channels/useChannels";
import { isOpen, syncFigures } from "../history/rules";
import { useHasStore } from "../useHasStore";
import { every, rules, type Schedule } from "./model";
import { stepQueries, useSaveSchedule, useSyncNow } from "./queries";

/** What the store does not know yet, the press that sends it, and how often that goes by itself. */
export function InStep() {
  const { data, error, refetch } = useQuery(stepQueries.schedule());
  const hasStore = useHasStore();
  if (hasStore === false) return null;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  // As high as what comes, so that the tabs below stay where they are.
  if (!data || hasStore === null) {
    return (
      <div className="max-sm:min-h-64">
        <Loading />
      </div>
    );
  }
  return (
    <Card
      title="Store and stock"
      description={lastWords(data)}
      actions={<SyncNow schedule={data} />}
    >
      <div className="flex flex-col gap-3">
        {data.problem && (
          <Notice
            tone="warning"
            title="The schedule waits for you"
            actions={
              data.last?.import_id ? (
                <ButtonLink size="sm" to={pathTo("inventory", { sync: data.last.import_id })}>
                  Look at the import
                </ButtonLink>
              ) : undefined
            }
          >
            {data.problem} It resumes after a manual sync or a new interval.
          </Notice>
        )}
        <p className="text-sm">
          {data.changed_lots === 0 ? (
            "Nothing changed since the last upload."
          ) : (
            <Link
              className="text-accent underline"
              to={pathTo("inventory", { since_sync: "true", show_zero_quantity: "true" })}
            >
              {lots(data.changed_lots)} changed since the last upload
            </Link>
          )}
          {data.questions > 0 && (
            <>
              {" · "}
              <Link className="text-accent underline" to={pathTo("store", { tab: "questions" })}>
                {formatCount(data.questions)} to decide
              </Link>
            </>
          )}
        </p>
        {data.last && <Pipeline last={data.last} />}
        <Settings schedule={data} />
      </div>
    </Card>
  );
}

const lots = (count: number) => counted(count, "lot");

function lastWords({ last }: Schedule): string {
  if (!last) return "Not synced yet";
  if (isOpen(last)) return "Syncing now";
  const when = formatAgo(last.createdAt, Date.now());
  if (last.state === "planned") {
    const missing = last.counts.not_listed ?? 0;
    const found = missing > 0 ? `${counted(missing, "row")} not in the store` : "no difference";
    return `Compared ${when}: ${found}`;
  }
  return last.state === "applied"
    ? `Synced ${when}: ${syncFigures(last)}${last.reason && `. ${last.reason}`}`
    : `Not synced ${when}: ${last.reason}`;
}

function Settings({ schedule }: { schedule: Schedule }) {
  const save = useSaveSchedule();
  const change = (body: Parameters<typeof save.mutate>[0]) => save.mutate(body);
  const minutes = [0, 10, 30, 60] as const;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <ChoiceField
        label="Sync"
        value={String(schedule.minutes)}
        options={minutes.map((one) => ({ value: String(one), label: every[one] }))}
        onChange={(value) => {
          const chosen = minutes.find((one) => String(one) === value);
          if (chosen !== undefined) change({ minutes: chosen });
        }}
      />
      <ChoiceField
        label="Changed here and in the store"
        value={schedule.conflicts}
        options={keysOf(rules).map((rule) => ({
          value: rule,
          label: rules[rule],
        }))}
        onChange={(value) => change({ conflicts: value })}
      />
    </div>
  );
}

function SyncNow({ schedule }: { schedule: Schedule }) {
  const start = useSyncNow();
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState("");
  const wanted = schedule.last?.state === "failed" ? schedule.last.removals : 0;
  const close = () => {
    setAsks(false);
    setTyped("");
  };
  const sync = () =>
    start.mutate(wanted > 0 ? wanted : null, {
      onSettled: close,
    });
  return (
    <>
      <Button
        variant="primary"
        icon={RefreshCw}
        loading={start.isPending}
        disabledReason={schedule.last && isOpen(schedule.last) && "A sync is running"}
        onClick={() => (schedule.changed_lots > 0 || wanted > 0 ? setAsks(true) : sync())}
      >
        Sync now
      </Button>
      <ConfirmDialog
        open={asks}
        title="Sync with the store"
        confirmLabel={`Send ${lots(schedule.changed_lots)}`}
        running={start.isPending}
        blockedReason={wanted > 0 && typed !== String(wanted) && `Type ${wanted} first`}
        onConfirm={sync}
        onClose={close}
      >
        <p className="text-sm">
          Orders and changes of the store come in first. Then {lots(schedule.changed_lots)} of yours
          are sent. What comes in can be undone; what was sent cannot.
        </p>
        {wanted > 0 && (
          <InputField
            label="Lots that leave the store"
            hint={`${lots(wanted)} are not in stock here any more. Type ${wanted} to take them off sale.`}
            inputMode="numeric"
            value={typed}
            onChange={setTyped}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

type Done = NonNullable<NonNullable<Schedule["last"]>["counts"]["channels"]>[number];
type Row = { channel: Channel; done: Done | undefined };
type Stage = Exclude<keyof Done, "channel_id" | "why">;

/** The stages of a sync, in their order: all stores end one before the next begins. */
const STAGES: readonly { stage: Stage; header: string }[] = [
  { stage: "orders", header: "1. Orders read" },
  { stage: "taken", header: "2. Changed here" },
  { stage: "lowered", header: "3. Lowered there" },
  { stage: "removed", header: "Taken off sale" },
  { stage: "raised", header: "4. Raised there" },
  { stage: "put_up", header: "5. Put up there" },
  { stage: "changed", header: "6. Price and texts" },
  { stage: "not_sent", header: "Not sent" },
];

/** What the last sync did with each of several stores. Nothing where the person has one. */
function Pipeline({ last }: { last: NonNullable<Schedule["last"]> }) {
  const channels = useChannels();
  if (channels.length < 2) return null;
  const rows = channels.map((channel) => ({
    channel,
    done: last.counts.channels?.find((each) => each.channel_id === channel.channel_id),
  }));
  return (
    <SimpleTable
      caption={`What the sync ${formatAgo(last.createdAt, Date.now())} did`}
      columns={columns}
      rows={rows}
      getKey={({ channel }) => channel.channel_id}
    />
  );
}

const columns: readonly SimpleColumn<Row>[] = [
  {
    header: "Store",
    grow: true,
    cell: ({ channel, done }) => (
      <span className="flex min-w-36 flex-wrap items-center gap-x-2 gap-y-1">
        <Mark of={channel} />
        {channel.marketplace_name}
        {channel.is_paused ? (
          <Badge tone="warning">paused</Badge>
        ) : (
          done?.why && <Badge tone="warning">left out</Badge>
        )}
        <Link
          className="text-accent-ink text-xs hover:underline"
          to={pathTo("inventory", { for_sale_on: `differs-${channel.channel_id}` })}
        >
          What differs
        </Link>
      </span>
    ),
  },
  ...STAGES.map(
    ({ stage, header }): SimpleColumn<Row> => ({
      header,
      align: "end",
      cell: ({ done }) =>
        done?.[stage] ? formatCount(done[stage]) : <span className="text-muted">–</span>,
    }),
  ),
];
