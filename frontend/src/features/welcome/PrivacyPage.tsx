import { Page, PageHeader } from "@/shared/ui/Card";
export function PrivacyPage() {
  return (
    <Page>
      <PageHeader title="Privacy" />
    </Page>
  );
}
