import { useQuery } from "@tanstack/react-query";
import { OwnData } from "@/features/backups/public";
import { formatDate } from "@/shared/lib/format";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { ErrorState, Loading } from "@/shared/ui/states";
import { ConfirmNotice } from "./ConfirmNotice";
import { DeleteAccount } from "./DeleteAccount";
import { PasswordForm } from "./PasswordForm";
import { PersonForm } from "./PersonForm";
import { profileQueries } from "./queries";
import { Sessions } from "./Sessions";

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
