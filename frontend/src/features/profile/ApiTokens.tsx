import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { queryRows } from "@/shared/api/queries";
import type { BodyOf, Schema } from "@/shared/api/wire";
import { FormDialog } from "@/shared/form/FormDialog";
import { NameField, SelectField, TextareaField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { formatDate, formatDateTime } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ErrorState } from "@/shared/ui/states";
import { ShownOnce } from "./ShownOnce";

type Scope = BodyOf<"post", "tokens">["scopes"][number];

const query = queryRows(["profile", "apiTokens"], "tokens");
const RESOURCES = ["stock", "batches", "orders", "books", "catalogue", "prices", "sync"] as const;
const WAYS = ["read", "write"] as const;
const DAYS = ["7", "30", "90", "365"];

/** The tokens of programs: a list, a form that makes one and shows it once, and Revoke. */
export function ApiTokens() {
  const client = useQueryClient();
  const tokens = useQuery(query);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Schema<"NewTokenRow"> | null>(null);
  const revoke = useMutation({
    mutationFn: (id: number) => api.delete("tokens/{id}", { path: { id } }),
    onSettled: () => invalidate(client, query.queryKey),
  });
  return (
    <section aria-label="API tokens" className="flex flex-col gap-3 px-4 py-3">
      <p className="max-w-prose text-muted">
        A program calls the API with a token in your name. It cannot sign in, read keys or close the
        account.
      </p>
      <div>
        <Button onClick={() => setMaking(true)}>New token</Button>
      </div>
      {made && <ShownOnce title={`Copy the token of ${made.name} now`} secret={made.token} />}
      {tokens.error && <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} />}
      <ul aria-label="Tokens" className="divide-y divide-line">
        {tokens.data?.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
            <span className="min-w-0 flex-1 basis-64">
              <span className="block break-words font-medium">{token.name}</span>
              <span className="block text-muted text-xs">
                bst_{token.public}_… · {token.scopes.join(", ")}
                {token.addresses.length > 0 && ` · from ${token.addresses.join(", ")}`}
              </span>
              <span className="block text-muted text-xs">
                Expires {formatDate(token.expiresAt)} ·{" "}
                {token.lastUsedAt ? `last used ${formatDateTime(token.lastUsedAt)}` : "never used"}
              </span>
            </span>
            <DestructiveButton
              size="sm"
              variant="ghost"
              aria-label={`Revoke ${token.name}`}
              action={{
                label: "Revoke token",
                done: "Token revoked",
                confirm: `The program that uses ${token.name} is refused at once.`,
                run: () => revoke.mutateAsync(token.id),
              }}
            />
          </li>
        ))}
      </ul>
      {isMaking && (
        <NewToken
          onClose={() => setMaking(false)}
          onMade={(token) => {
            setMade(token);
            void invalidate(client, query.queryKey);
          }}
        />
      )}
    </section>
  );
}

const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "A token needs a name."),
      z.maxLength(60, "At most 60 characters."),
    ),
  scopes: z.array(z.string()).check(z.minLength(1, "Choose what it may do.")),
  days: z.string(),
  addresses: z.string(),
});

function NewToken(props: { onClose: () => void; onMade: (token: Schema<"NewTokenRow">) => void }) {
  const form = useZodForm({
    schema,
    defaultValues: { name: "", scopes: [], days: "90", addresses: "" },
    onSubmit: async ({ name, scopes, days, addresses }) => {
      const body = {
        name,
        scopes: scopes as Scope[], // of the boxes below
        days: Number(days),
        addresses: addresses.split(/[\s,]+/).filter(Boolean),
      };
      props.onMade(one(await api.post("tokens", { body })));
      props.onClose();
    },
  });
  const problem = form.formState.errors.scopes?.message;
  return (
    <FormDialog form={form} onClose={props.onClose} title="New token" submitLabel="Make token">
      <NameField form={form} placeholder="The program that uses it" />
      <fieldset className="grid grid-cols-2 gap-2">
        <legend className="mb-1.5 font-medium text-sm">It may</legend>
        {RESOURCES.flatMap((resource) =>
          WAYS.map((way) => (
            <Checkbox
              key={`${resource}:${way}`}
              label={`${way} ${resource}`}
              value={`${resource}:${way}`}
              {...form.register("scopes")}
            />
          )),
        )}
        {problem && <p className="col-span-2 text-danger text-xs">{problem}</p>}
      </fieldset>
      <SelectField
        form={form}
        name="days"
        label="Expires after"
        options={DAYS.map((value) => ({ value, label: `${value} days` }))}
      />
      <TextareaField
        form={form}
        name="addresses"
        label="Allowed addresses"
        rows={2}
        hint="Addresses or networks such as 203.0.113.0/24. Empty: it works from anywhere."
      />
    </FormDialog>
  );
}
