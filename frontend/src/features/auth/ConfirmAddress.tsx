import { useState } from "react";
import { Link } from "react-router-dom";
import { api } from "@/shared/api/client";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { AuthCard, authLinkClass } from "./AuthCard";
import { FormAlert } from "./FormAlert";
import { useSession } from "./session";

/** Where the link of a mail leads. A button, so that a scanner of mails confirms nothing. */
export function ConfirmAddress({ token }: { token: string }) {
  const { user } = useSession();
  const [sending, setSending] = useState(false);
  const [answer, setAnswer] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = async () => {
    setSending(true);
    setProblem(null);
    try {
      const { message } = await api.post("users/confirm-address", { body: { token } });
      setAnswer(message ?? "Your address is confirmed.");
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setSending(false);
    }
  };
  return (
    <AuthCard
      title="Confirm your address"
      lead="One click, and mails can reach you."
      foot={
        <Link to={user ? "/app/home" : "/signin"} className={authLinkClass}>
          {user ? "Go to Home" : "Go to sign in"}
        </Link>
      }
    >
      {answer ? (
        <Notice tone="success">{answer}</Notice>
      ) : (
        <div className="flex flex-col gap-4">
          {problem && <FormAlert message={problem} />}
          <Button variant="primary" loading={sending} onClick={confirm} autoFocus>
            Confirm address
          </Button>
        </div>
      )}
    </AuthCard>
  );
}
