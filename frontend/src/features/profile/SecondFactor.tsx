import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { knowsPasskeys, makePasskey } from "@/features/auth/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryOne } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { FormDialog } from "@/shared/form/FormDialog";
import { NameField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { formatDate } from "@/shared/lib/format";
import { noteProof } from "@/shared/lib/proof";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { CopyButton } from "@/shared/ui/CopyButton";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";

const query = queryOne(["profile", "secondFactor"], "users/second-factor");

/** What is asked for beside the password: an authenticator app, passkeys, and codes for a loss. */
export function SecondFactor() {
  const factor = useQuery(query);
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[]>([]);
  const [opened, setOpened] = useState<Schema<"NewAppRow"> | "passkey" | null>(null);
  const renewed = () => invalidate(client, query.queryKey);
  const added = (row: Schema<"FactorAddedRow">) => {
    noteProof(row.proof);
    setCodes(row.recovery_codes);
    void renewed();
  };
  const begin = useMutation({
    meta: { tellsFailure: "Add an app" },
    mutationFn: async () => one(await api.post("users/second-factor/app")),
    onSuccess: setOpened,
  });
  const renew = useMutation({
    mutationFn: async () => one(await api.post("users/second-factor/recovery-codes")),
    onSuccess: ({ recovery_codes }) => setCodes(recovery_codes),
    onSettled: renewed,
  });
  const removeApp = useMutation({
    mutationFn: () => api.delete("users/second-factor/app"),
    onSettled: renewed,
  });
  const removePasskey = useMutation({
    mutationFn: (id: number) => api.delete("users/second-factor/passkeys/{id}", { path: { id } }),
    onSettled: renewed,
  });
  const forget = useMutation({
    mutationFn: (id: number) => api.delete("users/second-factor/devices/{id}", { path: { id } }),
    onSettled: renewed,
  });
  const { has_app = false, passkeys = [], devices = [] } = factor.data ?? {};
  const left = factor.data?.recovery_codes_left ?? 0;
  const hasAny = has_app || passkeys.length > 0;
  return (
    <Card
      title="Second factor"
      description="Asked for with your password when you sign in, and before acts that cannot be undone."
    >
      {factor.isError && <ErrorState error={factor.error} onRetry={() => factor.refetch()} />}
      {factor.isPending && <Loading />}
      {factor.data && (
        <div className="flex flex-col gap-4">
          {codes.length > 0 && <NewCodes codes={codes} onKept={() => setCodes([])} />}
          {!hasAny && <p>None: your password alone opens this account.</p>}
          <ul aria-label="Second factors" className="divide-y divide-line">
            {has_app && (
              <Row name="Authenticator app">
                <DestructiveButton
                  size="sm"
                  variant="ghost"
                  aria-label="Remove the authenticator app"
                  action={{
                    label: "Remove",
                    done: "The app is removed",
                    confirm: "Its codes stop working.",
                    run: () => removeApp.mutateAsync(),
                  }}
                />
              </Row>
            )}
            {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
              <Row
                key={id}
                name={`Passkey ${name}`}
                about={`Since ${formatDate(createdAt)}, ${lastUsedAt ? `last used ${formatDate(lastUsedAt)}` : "never used"}`}
              >
                <DestructiveButton
                  size="sm"
                  variant="ghost"
                  aria-label={`Remove passkey ${name}`}
                  action={{
                    label: "Remove",
                    done: "The passkey is removed",
                    confirm: `${name} no longer works. Delete it on your device, too.`,
                    run: () => removePasskey.mutateAsync(id),
                  }}
                />
              </Row>
            ))}
            {hasAny && (
              <Row name="Recovery codes" about={`${left} of 10 left`}>
                <DestructiveButton
                  size="sm"
                  variant="ghost"
                  action={{
                    label: "New codes",
                    done: "There are new recovery codes",
                    confirm: "Your current codes stop working.",
                    run: () => renew.mutateAsync(),
                  }}
                />
              </Row>
            )}
          </ul>
          <div className="flex flex-wrap gap-2">
            {!has_app && (
              <Button loading={begin.isPending} onClick={() => begin.mutate()}>
                Add an authenticator app
              </Button>
            )}
            {knowsPasskeys() && <Button onClick={() => setOpened("passkey")}>Add a passkey</Button>}
          </div>
          {devices.length > 0 && (
            <section aria-label="Devices that skip the code" className="flex flex-col gap-1">
              <h3 className="font-medium text-sm">Devices that skip the code</h3>
              <ul className="divide-y divide-line">
                {devices.map(({ id, device, expiresAt }) => (
                  <Row
                    key={id}
                    name={device || "Unknown device"}
                    about={`Until ${formatDate(expiresAt)}`}
                  >
                    <DestructiveButton
                      size="sm"
                      variant="ghost"
                      aria-label={`Ask ${device || "Unknown device"} again`}
                      action={{
                        label: "Ask again",
                        done: "It is asked at the next sign-in",
                        confirm: "That device is asked for the second factor at its next sign-in.",
                        run: () => forget.mutateAsync(id),
                      }}
                    />
                  </Row>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
      {opened === "passkey" && <NewPasskey onClose={() => setOpened(null)} onAdded={added} />}
      {opened !== null && opened !== "passkey" && (
        <NewApp app={opened} onClose={() => setOpened(null)} onAdded={added} />
      )}
    </Card>
  );
}

function Row(props: { name: string; about?: string; children: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 py-2">
      <span className="min-w-0 flex-1 basis-48">
        <span className="block break-words">{props.name}</span>
        {props.about && <span className="block text-muted text-xs">{props.about}</span>}
      </span>
      {props.children}
    </li>
  );
}

function NewCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  return (
    <Notice quiet tone="success" title="Save these recovery codes now">
      <div className="flex flex-col gap-3">
        <p>
          Each lets you in once when the app or the passkey is lost. Print them or keep them in a
          password manager: they are not shown again.
        </p>
        <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-4 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton label="Copy all" text={() => codes.join("\n")} />
          <Button onClick={onKept}>I have saved them</Button>
        </div>
      </div>
    </Notice>
  );
}

type Adding = { onClose: () => void; onAdded: (row: Schema<"FactorAddedRow">) => void };

const codeSchema = z.object({ code: z.string().check(z.minLength(1, "Enter the code.")) });

function NewApp({ app, onClose, onAdded }: Adding & { app: Schema<"NewAppRow"> }) {
  const form = useZodForm({
    guarded: false,
    schema: codeSchema,
    defaultValues: { code: "" },
    onSubmit: async (body) => {
      onAdded(one(await api.post("users/second-factor/app/confirm", { body })));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Add an authenticator app"
      submitLabel="Add app"
    >
      <p>Scan this code with your authenticator app, then type the number it shows.</p>
      <img src={app.picture} alt="QR code for the app" className="mx-auto size-48" />
      <p className="text-muted text-sm">
        Without a camera, type this key into the app:{" "}
        <code className="break-all text-text">{app.secret}</code>
      </p>
      <TextField
        form={form}
        name="code"
        label="Code"
        autoComplete="one-time-code"
        autoFocus
        required
      />
    </FormDialog>
  );
}

const nameSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "A passkey needs a name."),
      z.maxLength(60, "At most 60 characters."),
    ),
});

function NewPasskey({ onClose, onAdded }: Adding) {
  const form = useZodForm({
    guarded: false,
    schema: nameSchema,
    defaultValues: { name: "" },
    onSubmit: async ({ name }) => {
      const { ticket, options } = one(await api.post("users/second-factor/passkeys/options"));
      const passkey = await makePasskey(options);
      const body = { ticket, name, passkey };
      onAdded(one(await api.post("users/second-factor/passkeys", { body })));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Add a passkey"
      description="Your device asks you for your finger, face or PIN, and keeps the passkey."
      submitLabel="Add passkey"
    >
      <NameField form={form} placeholder="Where it is kept: laptop, phone, key" />
    </FormDialog>
  );
}
