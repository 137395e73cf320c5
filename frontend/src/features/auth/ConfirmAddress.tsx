import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { api } from "@/shared/api/client";
import { paths } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { AuthCard, authLinkClass } from "./AuthCard";
import { FormAlert } from "./FormAlert";
import { useSession } from "./session";

/** Where the link of a mail leads. A button, so that a scanner of mails confirms nothing. */
export function ConfirmAddress({ token }: { token: string }) {
  const { user } = useSession();
  const confirm = useMutation({
    mutationFn: () => api.post("users/confirm-address", { body: { token } }),
  });
  return (
    <AuthCard
      title="Confirm your address"
      lead="Confirm this address to receive e-mails."
      foot={
        <Link to={user ? paths.home : paths.signIn} className={authLinkClass}>
          {user ? "Go to Home" : "Go to sign in"}
        </Link>
      }
    >
      {confirm.data ? (
        <Notice tone="success">{confirm.data.message ?? "Your address is confirmed."}</Notice>
      ) : (
        <div className="flex flex-col gap-4">
          {confirm.error && <FormAlert message={problemText(confirm.error)} />}
          <Button
            variant="primary"
            loading={confirm.isPending}
            onClick={() => confirm.mutate()}
            autoFocus
          >
            Confirm address
          </Button>
        </div>
      )}
    </AuthCard>
  );
}
