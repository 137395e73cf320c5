import { Page } from "@/shared/ui/Card";
export function SignInPage() {
  return <Page narrow>Sign in</Page>;
}
