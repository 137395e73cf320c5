import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router-dom";
import { api } from "@/shared/api/client";
import { one } from "@/shared/api/envelope";
import { paths } from "@/shared/lib/paths";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { AuthCard, authLinkClass } from "./AuthCard";
import { actIn } from "./entry";
import { FormAlert } from "./FormAlert";
import { roleWords } from "./roles";
import { useSession } from "./session";

/** Where the link of an invitation leads. Its secret is in the hash, which no server is sent. */
export function JoinPage() {
  const { user } = useSession();
  const { hash } = useLocation();
  const token = hash.slice(1);
  const join = useMutation({
    mutationFn: async () => {
      const store = one(await api.post("invitations/accept", { body: { token } }));
      await actIn(store.id);
    },
  });
  const invited = useQuery({
    queryKey: ["profile", "invitation", token],
    queryFn: async () => one(await api.ask("invitations/look", { body: { token } })),
    retry: false,
    // Afterwards it is used up.
    enabled: join.isIdle,
  });
  const state = { wanted: paths.join + hash };
  const problem = join.error ?? invited.error;
  const { store, role } = invited.data ?? {};
  return (
    <AuthCard
      title={store ? `Work in the store of ${store}` : "An invitation"}
      lead={role && role !== "owner" ? roleWords[role] : ""}
      foot={
        <Link to={user ? paths.home : paths.signIn} className={authLinkClass}>
          {user ? "Go to Home" : "Go to sign in"}
        </Link>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <FormAlert message={problemText(problem)} />}
        {invited.data && user && (
          <>
            <p>
              You are signed in as {user.email_address}. You join as a {role}.
            </p>
            <Button
              variant="primary"
              loading={join.isPending || join.isSuccess}
              onClick={() => join.mutate()}
              autoFocus
            >
              Join
            </Button>
          </>
        )}
        {invited.data && !user && (
          <>
            <p>You join as a {role}. For that you need an account of your own.</p>
            <Link to={paths.signUp} state={state} className={authLinkClass}>
              Create an account
            </Link>
            <Link to={paths.signIn} state={state} className={authLinkClass}>
              Sign in with my account
            </Link>
          </>
        )}
      </div>
    </AuthCard>
  );
}
