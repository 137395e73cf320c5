import { ButtonLink } from "@/shared/ui/Button";
import { Page, PageHeader } from "@/shared/ui/Card";

export function StowPage() {
  return (
    <Page>
      <PageHeader title="Stow Inventory" actions={<ButtonLink to="/app/home">Leave</ButtonLink>} />
    </Page>
  );
}
