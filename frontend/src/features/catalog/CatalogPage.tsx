import { Page, PageHeader } from "@/shared/ui/Card";

export function CatalogPage() {
  return (
    <Page>
      <PageHeader title="Catalog" />
    </Page>
  );
}
