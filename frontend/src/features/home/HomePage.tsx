import { Page, PageHeader } from "@/shared/ui/Card";
export function HomePage() {
  return (
    <Page>
      <PageHeader title="Home" />
    </Page>
  );
}
