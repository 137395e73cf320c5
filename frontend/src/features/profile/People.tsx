import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { roleWords } from "@/features/auth/public";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryRows } from "@/shared/api/queries";
import type { Schema } from "@/shared/api/wire";
import { FormDialog } from "@/shared/form/FormDialog";
import { SelectField, TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { formatDate } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { Select } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { ErrorState } from "@/shared/ui/states";
import { ShownOnce } from "./ShownOnce";

type Role = Schema<"MemberRow">["role"];

const members = queryRows(["profile", "members"], "members");
const invitations = queryRows(["profile", "invitations"], "invitations");
const ROLES = (Object.keys(roleWords) as Role[]).map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** Who works in the store: a list with roles, open invitations, and the form of a new one. */
export function People() {
  const client = useQueryClient();
  const people = useQuery(members);
  const open = useSideQuery(invitations, "the open invitations") ?? [];
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<Schema<"NewInvitationRow"> | null>(null);
  const change = useMutation({
    meta: { tellsFailure: "Change role" },
    mutationFn: ({ id, role }: { id: number; role: Role }) =>
      api.patch("members/{id}", { path: { id }, body: { role } }),
    onSettled: () => invalidate(client, members.queryKey),
  });
  const remove = useMutation({
    mutationFn: (id: number) => api.delete("members/{id}", { path: { id } }),
    onSettled: () => invalidate(client, members.queryKey),
  });
  const withdraw = useMutation({
    mutationFn: (id: number) => api.delete("invitations/{id}", { path: { id } }),
    onSettled: () => invalidate(client, invitations.queryKey),
  });
  const link = made && window.location.origin + made.link;
  return (
    <section aria-label="People" className="flex flex-col gap-3 px-4 py-3">
      <p className="max-w-prose text-muted">
        People work in your store with accounts of their own, each in a role. Everything that they
        do is yours, and is logged in their name.
      </p>
      <div>
        <Button onClick={() => setInviting(true)}>Invite</Button>
      </div>
      {link && (
        <ShownOnce title="Copy the link now, and give it to one person" secret={link}>
          It works once, until {formatDate(made.expiresAt)}
          {made.email_address && `, and is mailed to ${made.email_address}`}.
        </ShownOnce>
      )}
      {people.error && <ErrorState error={people.error} onRetry={() => void people.refetch()} />}
      <ul aria-label="Members" className="divide-y divide-line">
        {people.data?.map(({ id, name, email_address, role, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 flex-1 basis-48">
              <span className="block break-words font-medium">{name}</span>
              <span className="block break-words text-muted text-xs">
                {email_address} · since {formatDate(createdAt)}
              </span>
            </span>
            <Select
              aria-label={`Role of ${name}`}
              className="w-auto"
              options={ROLES}
              value={role}
              onChange={(event) => change.mutate({ id, role: event.target.value as Role })}
            />
            <DestructiveButton
              size="sm"
              variant="ghost"
              aria-label={`Remove ${name}`}
              action={{
                label: "Remove",
                done: `${name} removed`,
                confirm: `${name} is signed out of your store at once, on every device. What was done there stays, and Home names a pick walk that is left open.`,
                run: () => remove.mutateAsync(id),
              }}
            />
          </li>
        ))}
      </ul>
      {open.length > 0 && (
        <ul aria-label="Open invitations" className="divide-y divide-line">
          {open.map(({ id, role, email_address, expiresAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <span className="min-w-0 flex-1 basis-48 break-words text-muted text-sm">
                Invitation of a {role}
                {email_address && ` to ${email_address}`}, good until {formatDate(expiresAt)}
              </span>
              <DestructiveButton
                size="sm"
                variant="ghost"
                aria-label={`Withdraw the invitation of a ${role}`}
                action={{
                  label: "Withdraw",
                  done: "Invitation withdrawn",
                  confirm: "Its link stops working.",
                  run: () => withdraw.mutateAsync(id),
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {isInviting && (
        <Invite
          onClose={() => setInviting(false)}
          onMade={(invitation) => {
            setMade(invitation);
            void invalidate(client, invitations.queryKey);
          }}
        />
      )}
    </section>
  );
}

const schema = z.object({ role: z.string(), email_address: z.string().check(z.trim()) });

function Invite(props: {
  onClose: () => void;
  onMade: (made: Schema<"NewInvitationRow">) => void;
}) {
  const form = useZodForm({
    schema,
    defaultValues: { role: "sorter", email_address: "" },
    onSubmit: async ({ role, email_address }) => {
      const body = { role: role as Role, email_address }; // of the options below
      props.onMade(one(await api.post("invitations", { body })));
      props.onClose();
    },
  });
  const role = form.watch("role") as Role;
  return (
    <FormDialog form={form} onClose={props.onClose} title="Invite" submitLabel="Make link">
      <SelectField form={form} name="role" label="Role" options={ROLES} hint={roleWords[role]} />
      <TextField
        form={form}
        name="email_address"
        label="E-mail address"
        type="email"
        hint="The link is mailed there, where this server sends mail. Empty: you hand it over yourself."
      />
    </FormDialog>
  );
}
