import { Page, PageHeader } from "@/shared/ui/Card";
export function WelcomePage() {
  return (
    <Page>
      <PageHeader title="Welcome" />
    </Page>
  );
}
