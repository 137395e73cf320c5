import { useState } from "react";
import { logout } from "@/features/auth/public";
import { problemFields } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { InputField } from "@/shared/ui/Field";
import { isSecondEnter } from "@/shared/ui/secondPress";
import { toast } from "@/shared/ui/toast";
import { useDeleteAccount } from "./mutations";

/** The end of an account: asked for with its address and password, because nothing brings it back. */
export function DeleteAccount({ emailAddress }: { emailAddress: string }) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const [password, setPassword] = useState("");
  const remove = useDeleteAccount({
    tellsFailure: (error: Error) => !problemFields(error).password && "Delete account",
  });
  const same = typed.trim().toLowerCase() === emailAddress.toLowerCase();
  const close = () => {
    setAsking(false);
    setTyped("");
    setPassword("");
    remove.reset();
  };
  const blocked = !same
    ? "Type the address of this account"
    : password === "" && "Type your password";
  const wrongPassword = problemFields(remove.error).password?.[0];
  const confirm = () =>
    remove.mutate(
      { email_address: typed, password },
      {
        onSuccess: () => {
          toast.success("Your account is closed and being erased");
          logout();
        },
      },
    );
  return (
    <Card
      title="Delete account"
      description="Erases your inventory, batches, locations, files and settings, for good."
    >
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      <ConfirmDialog
        open={asking}
        title="Delete account?"
        confirmLabel="Delete account"
        danger
        running={remove.isPending}
        blockedReason={blocked}
        onConfirm={confirm}
        onClose={close}
      >
        <div className="flex flex-col gap-3">
          <p>
            Everything of <strong className="break-all">{emailAddress}</strong> is erased, on every
            device. This cannot be undone. Export your data first if you may want it again.
          </p>
          <InputField
            label="Type your e-mail address"
            type="email"
            autoComplete="off"
            value={typed}
            onChange={setTyped}
          />
          <InputField
            label="Your password"
            error={wrongPassword}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || blocked || remove.isPending) return;
              if (!isSecondEnter(event)) confirm();
            }}
          />
        </div>
      </ConfirmDialog>
    </Card>
  );
}
