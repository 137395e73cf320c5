import { Page, PageHeader } from "@/shared/ui/Card";
export function ApiTestingPage() {
  return (
    <Page>
      <PageHeader title="ApiTesting" />
    </Page>
  );
}
