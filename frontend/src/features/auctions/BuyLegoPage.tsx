import { Page, PageHeader } from "@/shared/ui/Card";
export function BuyLegoPage() {
  return (
    <Page>
      <PageHeader title="BuyLego" />
    </Page>
  );
}
