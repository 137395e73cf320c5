import { Blocks } from "lucide-react";
import { ButtonLink } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { EmptyState } from "@/shared/ui/states";

/** Personal sets come with their own app; until then the page says what can be done now. */
export function SetsPage() {
  return (
    <Page>
      <PageHeader
        title="My Sets"
        description="Sets you own or complete, with the parts you have, need and miss."
      />
      <Card>
        <EmptyState
          icon={<Blocks aria-hidden="true" className="size-5" />}
          title="Part lists of sets are not kept yet"
          actions={
            <>
              <ButtonLink to="/app/catalog">Catalog</ButtonLink>
              <ButtonLink to="/app/batches" variant="primary">
                Batches
              </ButtonLink>
            </>
          }
        >
          Sets with their have, need and missing parts will stand here. You can find any set in the
          catalogue now, add it to a batch as a whole, and stow and sell it like a part.
        </EmptyState>
      </Card>
    </Page>
  );
}
