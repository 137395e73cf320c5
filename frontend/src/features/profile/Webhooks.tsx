import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryRows } from "@/shared/api/queries";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { formatDateTime } from "@/shared/lib/format";
import { isNamed, type Names, optionsOf } from "@/shared/lib/names";
import { invalidate } from "@/shared/lib/tags";
import { Badge } from "@/shared/ui/Badge";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ErrorState } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { ShownOnce } from "./ShownOnce";

type HookEvent = BodyOf<"post", "webhooks">["events"][number];
type Hook = Schema<"WebhookRow">;

const query = queryRows(["profile", "webhooks"], "webhooks");
const EVENTS: Names<HookEvent> = {
  "order.received": "An order arrived",
  "order.changed": "An order changed",
  "stock.changed": "The stock changed",
  "batch.listed": "A batch was listed",
  "sync.failed": "A sync failed",
  "job.finished": "A long task ended",
};
const wordsFor = (event: string) => (isNamed(EVENTS, event) ? EVENTS[event] : event);

/** The webhooks: a list with the log of each, a form that makes one, and Remove. */
export function Webhooks() {
  const hooks = useQuery(query);
  const client = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Schema<"NewWebhookRow"> | null>(null);
  return (
    <section aria-label="Webhooks" className="flex flex-col gap-3 border-line border-t px-4 py-3">
      <p className="max-w-prose text-muted">
        A webhook sends events to an address of yours. Its calls are signed.
      </p>
      <div>
        <Button onClick={() => setMaking(true)}>New webhook</Button>
      </div>
      {made && <ShownOnce title="Copy the secret of the webhook now" secret={made.secret} />}
      {hooks.error && <ErrorState error={hooks.error} onRetry={() => void hooks.refetch()} />}
      <ul aria-label="Webhooks" className="divide-y divide-line">
        {hooks.data?.map((hook) => (
          <HookLine key={hook.id} hook={hook} />
        ))}
      </ul>
      {isMaking && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={(hook) => {
            setMade(hook);
            void invalidate(client, query.queryKey);
          }}
        />
      )}
    </section>
  );
}

function HookLine({ hook }: { hook: Hook }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const onSettled = () => invalidate(client, query.queryKey);
  const path = { id: hook.id };
  const remove = useMutation({
    mutationFn: () => api.delete("webhooks/{id}", { path }),
    onSettled,
  });
  const resume = useMutation({
    meta: { tellsFailure: "Resume" },
    onSuccess: () => toast.success("Webhook resumed"),
    mutationFn: () => api.post("webhooks/{id}/resume", { path }),
    onSettled,
  });
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-64">
          <span className="block break-all font-medium">{hook.address}</span>
          <span className="block text-muted text-xs">{hook.events.map(wordsFor).join(", ")}</span>
        </span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {hook.stoppedAt && <Badge tone="danger">Stopped</Badge>}
          {!hook.stoppedAt && hook.failingSince && <Badge tone="warning">Failing</Badge>}
          {hook.stoppedAt && (
            <Button size="sm" loading={resume.isPending} onClick={() => resume.mutate()}>
              Resume
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Hide log" : "Show log"}
          </Button>
          <DestructiveButton
            size="sm"
            variant="ghost"
            aria-label={`Remove ${hook.address}`}
            action={{
              label: "Remove webhook",
              done: "Webhook removed",
              confirm: `${hook.address} gets no more calls, and its log is deleted.`,
              run: () => remove.mutateAsync(),
            }}
          />
        </span>
      </div>
      {isOpen && <Log hook={hook} />}
    </li>
  );
}

function Log({ hook }: { hook: Hook }) {
  const client = useQueryClient();
  const log = useQuery(
    queryRows(["profile", "webhooks", hook.id], "webhooks/{id}/deliveries", {
      path: { id: hook.id },
    }),
  );
  const again = useMutation({
    meta: { tellsFailure: "Send again" },
    onSuccess: () => toast.success("On its way again"),
    mutationFn: (delivery: number) =>
      api.post("webhooks/{id}/deliveries/{delivery}/again", { path: { id: hook.id, delivery } }),
    onSettled: () => invalidate(client, query.queryKey),
  });
  if (log.error) return <ErrorState error={log.error} onRetry={() => void log.refetch()} />;
  return (
    <ul aria-label={`Log of ${hook.address}`} className="max-h-80 overflow-y-auto text-xs">
      {log.data?.length === 0 && <li className="text-muted">Nothing was sent yet.</li>}
      {log.data?.map((row) => (
        <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
          <span className="min-w-0 flex-1 basis-64">
            <span className="block">
              {wordsFor(row.event)}, {formatDateTime(row.createdAt)}
            </span>
            <code className="block break-all text-muted">
              {row.event} · {row.about}
            </code>
          </span>
          <span className="flex items-center gap-2">
            <span className="text-muted">{row.told || "waits"}</span>
            <Button size="sm" variant="ghost" onClick={() => again.mutate(row.id)}>
              Send again
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

const schema = z.object({
  address: z.string().check(z.trim(), z.minLength(1, "Enter the address.")),
  events: z.array(z.string()).check(z.minLength(1, "Choose at least one event.")),
});

function NewWebhook(props: {
  onClose: () => void;
  onMade: (hook: Schema<"NewWebhookRow">) => void;
}) {
  const form = useZodForm({
    schema,
    defaultValues: { address: "", events: [] },
    onSubmit: async ({ address, events }) => {
      const body = { address, events: events as HookEvent[] }; // of the boxes below
      props.onMade(one(await api.post("webhooks", { body })));
      props.onClose();
    },
  });
  const problem = form.formState.errors.events?.message;
  return (
    <FormDialog form={form} onClose={props.onClose} title="New webhook" submitLabel="Make webhook">
      <TextField
        form={form}
        name="address"
        label="Address"
        required
        autoFocus
        placeholder="https://example.org/hook"
      />
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1.5 font-medium text-sm">Events</legend>
        {optionsOf(EVENTS).map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            hint={<code>{value}</code>}
            value={value}
            {...form.register("events")}
          />
        ))}
        {problem && <p className="col-span-2 text-danger text-xs">{problem}</p>}
      </fieldset>
    </FormDialog>
  );
}
