import { Link, useLocation, useSearchParams } from "react-router-dom";
import { paths, pathTo } from "@/shared/lib/paths";
import { memberOf } from "@/shared/lib/records";
import { AuthCard, authLinkClass } from "./AuthCard";
import { ConfirmAddress } from "./ConfirmAddress";
import { ResetPassword } from "./ResetPassword";
import { SignInForm } from "./SignInForm";

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
