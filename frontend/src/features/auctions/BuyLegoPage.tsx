import { Gavel } from "lucide-react";
import { ButtonLink } from "@/shared/ui/Button";
import { Card, Page, PageHeader } from "@/shared/ui/Card";
import { EmptyState } from "@/shared/ui/states";

/** Auction listings come with their own service; until then the page says what can be done now. */
export function BuyLegoPage() {
  return (
    <Page>
      <PageHeader
        title="Buy LEGO"
        description="Auction listings of a charity seller, with what they cost landed."
      />
      <Card>
        <EmptyState
          icon={<Gavel aria-hidden="true" className="size-5" />}
          title="No auction service is connected to this installation"
          actions={
            <>
              <ButtonLink to="/app/sources">Sources</ButtonLink>
              <ButtonLink to="/app/batches" variant="primary">
                Batches
              </ButtonLink>
            </>
          }
        >
          Listings with their bids, shipping and end times will stand here. What you buy elsewhere
          goes on now: note the seller under Sources, and make a batch with its cost and weight.
        </EmptyState>
      </Card>
    </Page>
  );
}
