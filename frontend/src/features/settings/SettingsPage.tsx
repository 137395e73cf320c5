import { Page, PageHeader } from "@/shared/ui/Card";
export function SettingsPage() {
  return (
    <Page>
      <PageHeader title="Settings" />
    </Page>
  );
}
