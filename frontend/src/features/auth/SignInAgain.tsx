import { pathTo } from "@/shared/lib/paths";
import { Curtain } from "@/shared/ui/Curtain";
import { AuthCard, authLinkClass } from "./AuthCard";
import { SignInForm } from "./SignInForm";

/** The sign-in form over a page whose session has ended: the page stays as it is under it. */
export function SignInAgain() {
  return (
    <Curtain title="Sign in again">
      <AuthCard title="Sign in">
        <SignInForm
          ended="Sign in again to continue; what you typed is kept."
          foot={
            // A tab of its own: this one keeps what was typed.
            <a
              href={pathTo("signIn", { reset: "" })}
              target="_blank"
              rel="noreferrer"
              className={`${authLinkClass} text-center text-sm`}
            >
              Forgot your password?
            </a>
          }
        />
      </AuthCard>
    </Curtain>
  );
}
