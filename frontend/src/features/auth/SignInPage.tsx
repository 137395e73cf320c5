import { useMutation } from "@tanstack/react-query";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { api } from "@/shared/api/client";
import { paths, pathTo } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { AuthCard, authLinkClass } from "./AuthCard";
import { FormAlert } from "./FormAlert";
import { ResetPassword } from "./ResetPassword";
import { SignInForm } from "./SignInForm";
import { useSession } from "./session";

/** Sign-in; with ?confirm the link of a mail that confirms an address; with ?reset a forgotten password (empty: ask for the mail, else the mail's token). */
export function SignInPage() {
  const [address] = useSearchParams();
  const confirm = address.get("confirm");
  const token = address.get("reset");
  if (confirm) return <ConfirmAddress token={confirm} />;
  return token === null ? <SignIn /> : <ResetPassword token={token} />;
}

function SignIn() {
  const { state } = useLocation();
  const isEnded = memberOf(state, "ended") === true;
  return (
    <AuthCard
      title="Sign in"
      lead="Good to have you back."
      foot={
        <>
          New here?{" "}
          <Link to={paths.signUp} state={state} className={authLinkClass}>
            Create an account
          </Link>
        </>
      }
    >
      <SignInForm
        ended={isEnded ? "Sign in again to continue where you were." : undefined}
        foot={
          <Link
            to={pathTo("signIn", { reset: "" })}
            state={state}
            className={`${authLinkClass} text-center text-sm`}
          >
            Forgot your password?
          </Link>
        }
      />
    </AuthCard>
  );
}

/** Where the link of a mail leads. A button, so that a scanner of mails confirms nothing. */
function ConfirmAddress({ token }: { token: string }) {
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
