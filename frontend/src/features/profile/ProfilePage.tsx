import { Page, PageHeader } from "@/shared/ui/Card";
export function ProfilePage() {
  return (
    <Page>
      <PageHeader title="Profile" />
    </Page>
  );
}
