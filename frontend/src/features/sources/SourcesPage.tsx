import { Page, PageHeader } from "@/shared/ui/Card";

export function SourcesPage() {
  return (
    <Page>
      <PageHeader title="Sources" />
    </Page>
  );
}
