import { Page, PageHeader } from "@/shared/ui/Card";

export function LocationsPage() {
  return (
    <Page>
      <PageHeader title="Inventory Locations" />
    </Page>
  );
}
