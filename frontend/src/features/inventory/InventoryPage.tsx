import { Page, PageHeader } from "@/shared/ui/Card";

export function InventoryPage() {
  return (
    <Page>
      <PageHeader title="Inventory" />
    </Page>
  );
}
