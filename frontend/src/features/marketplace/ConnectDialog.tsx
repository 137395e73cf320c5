import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { toast } from "@/shared/ui/toast";
import type { Connection } from "./model";
import { useConnect } from "./mutations";

/** A secret as a marketplace shows it. */
export const secret = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[A-Za-z0-9]{8,128}$/, "At least 8 letters and digits, as the marketplace shows it."),
  );
const schema = z
  .object({
    consumer_key: secret,
    consumer_secret: secret,
    token: secret,
    token_secret: secret,
  })
  .check(
    z.refine((all) => new Set(Object.values(all)).size === 4, {
      path: ["token_secret"],
      message: "Two of the four are the same.",
    }),
  );

const fields: readonly [name: keyof z.infer<typeof schema>, label: string][] = [
  ["consumer_key", "ConsumerKey"],
  ["consumer_secret", "ConsumerSecret"],
  ["token", "TokenValue"],
  ["token_secret", "TokenSecret"],
];

/** The four secrets, as the marketplace's registration page names them. They only go in. */
export function ConnectDialog(props: { connection: Connection; onClose: () => void }) {
  const { connection, onClose } = props;
  const connect = useConnect();
  const form = useZodForm({
    schema,
    defaultValues: { consumer_key: "", consumer_secret: "", token: "", token_secret: "" },
    onSubmit: async (secrets) => {
      const { state } = await connect.mutateAsync(secrets);
      if (state === "ok") toast.success("Store connected");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Connect ${connection.is_demo ? "a store of the demo" : "your BrickLink store"}`}
      submitLabel="Save and test"
    >
      <div className="flex flex-col gap-2 text-muted text-sm">
        <p>
          On BrickLink, open <strong>My Store → Settings → API</strong>, register this app's address
          and copy the four values. They are stored encrypted and never shown again.
        </p>
        <p>
          {connection.outgoing_address ? (
            <>
              A token is bound to an address; this app calls from{" "}
              <strong>{connection.outgoing_address}</strong>.
            </>
          ) : (
            <>
              A token is bound to an address. Give the public address of this server; if you do not
              know it, the test shows it, or register 0.0.0.0 with mask 0.0.0.0.
            </>
          )}
        </p>
      </div>
      {fields.map(([name, label]) => (
        <TextField
          key={name}
          form={form}
          name={name}
          label={label}
          type="password"
          autoComplete="off"
          required
        />
      ))}
    </FormDialog>
  );
}
