import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useSendConfirmation } from "./mutations";

/** Until an address is confirmed no link for a new password goes there: says so. */
export function ConfirmNotice({ emailAddress }: { emailAddress: string }) {
  const send = useSendConfirmation();
  const again = () =>
    send.mutate(undefined, {
      onSuccess: ({ message }) => toast.success(message ?? "The link is on its way."),
    });
  return (
    <Notice tone="info" title="Confirm your e-mail address">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          Follow the link that we sent to <span className="break-all">{emailAddress}</span>. Until
          then you cannot set a new password by mail.
        </p>
        <Button size="sm" loading={send.isPending} onClick={again}>
          Send again
        </Button>
      </div>
    </Notice>
  );
}
