import * as z from "zod/mini";
import { FormDialog } from "@/shared/form/FormDialog";
import { TextField } from "@/shared/form/fields";
import { useZodForm } from "@/shared/form/useZodForm";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { secret } from "./ConnectDialog";
import { useConnect, useConnectDemo } from "./mutations";

const schema = z.object({ key: secret });

/** The key of an account at BrickOwl, or the demo of it. It only goes in. */
export function KeyDialog({ hasDemo, onClose }: { hasDemo: boolean; onClose: () => void }) {
  const connect = useConnect();
  const demo = useConnectDemo();
  const form = useZodForm({
    schema,
    defaultValues: { key: "" },
    onSubmit: async ({ key }) => {
      const { state } = await connect.mutateAsync({ marketplace: "brickowl", key });
      if (state === "ok") toast.success("Store connected");
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Connect your BrickOwl store"
      submitLabel="Save and test"
    >
      <div className="flex flex-col gap-2 text-muted text-sm">
        <p>
          On BrickOwl, open <strong>Account → API keys</strong> and copy a key that may read the
          catalogue, change your inventory and handle orders. It is stored encrypted and never shown
          again.
        </p>
        <p>
          Lots are listed, changed and pulled, and orders come with their buyers. BrickOwl tells an
          app no prices and no messages.
        </p>
        <p>
          Beside another store it is tied to the stock by a first pull. What both sell between two
          syncs can be sold twice: sync often.
        </p>
      </div>
      <TextField
        form={form}
        name="key"
        label="API key"
        type="password"
        autoComplete="off"
        required
      />
      {hasDemo && (
        <div className="flex flex-col items-start gap-2">
          {demo.error && <Notice tone="danger">{problemText(demo.error)}</Notice>}
          <Button
            loading={demo.isPending}
            onClick={() => demo.mutate("brickowl", { onSuccess: onClose })}
          >
            Connect the demo of BrickOwl
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
