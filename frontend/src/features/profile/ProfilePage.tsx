import { useQuery } from "@tanstack/react-query";
import { OwnData } from "@/features/backups/public";
import { formatDate } from "@/shared/lib/format";
import { Button } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ErrorState, Loading, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { DeleteAccount } from "./DeleteAccount";
import { useSendConfirmation } from "./mutations";
import { PasswordForm } from "./PasswordForm";
import { PersonForm } from "./PersonForm";
import { profileQueries } from "./queries";
import { Sessions } from "./Sessions";

const SecondFactor = lazyPart(() =>
  import(/* webpackChunkName: "second-factor" */ "./SecondFactor").then((m) => m.SecondFactor),
);

export function ProfilePage() {
  const me = useQuery(profileQueries.me());

  return (
    <Page narrow>
      <PageHeader
        title="Profile"
        description={me.data?.createdAt ? `Member since ${formatDate(me.data.createdAt)}` : " "}
      />
      {me.isError && <ErrorState error={me.error} onRetry={() => me.refetch()} />}
      {me.isPending && <Loading />}
      {me.data && (
        <div className="flex flex-col gap-4">
          {me.data.is_address_confirmed === false && (
            <ConfirmNotice emailAddress={me.data.email_address} />
          )}
          <PersonForm user={me.data} />
          <PasswordForm />
          <SecondFactor />
          <Sessions />
          <Card title="Export data">
            <OwnData label="Export data" />
          </Card>
          <DeleteAccount emailAddress={me.data.email_address} />
        </div>
      )}
    </Page>
  );
}

/** Until an address is confirmed no link for a new password goes there: says so. */
function ConfirmNotice({ emailAddress }: { emailAddress: string }) {
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
