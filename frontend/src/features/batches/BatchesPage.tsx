import { Page, PageHeader } from "@/shared/ui/Card";

export function BatchesPage() {
  return (
    <Page>
      <PageHeader title="Batches" />
    </Page>
  );
}
