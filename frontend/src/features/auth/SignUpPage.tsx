import { Page, PageHeader } from "@/shared/ui/Card";
export function SignUpPage() {
  return (
    <Page>
      <PageHeader title="SignUp" />
    </Page>
  );
}
