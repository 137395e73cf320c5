import { Page, PageHeader } from "@/shared/ui/Card";
export function SetsPage() {
  return (
    <Page>
      <PageHeader title="Sets" />
    </Page>
  );
}
