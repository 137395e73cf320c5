import { type ReactNode, useMemo } from "react";
import { useClientState } from "@/shared/store/clientStore";
import { DataTable } from "@/shared/table/DataTable";
import type { TableState } from "@/shared/table/tableState";
import { listingColumns } from "./listingColumns";
import { saveListingOf } from "./mutations";
import { listingRows } from "./queries";
import type { ListingActions } from "./useListingActions";

/** Listings as rows: all their figures side by side; bids, limit and note are edited in place. */
export function ListingTable(props: {
  table: TableState;
  actions: ListingActions;
  empty: ReactNode;
}) {
  const { table, actions, empty } = props;
  const onlyMyBids = useClientState("options.showOnlyMyBids");
  const source = useMemo(() => listingRows(onlyMyBids), [onlyMyBids]);
  return (
    <DataTable
      label="Listings"
      table={table}
      columns={listingColumns}
      source={source}
      rowName={(listing) => listing.title}
      rowActions={(listing) => actions.entriesOf(listing, listing.worth, Date.now())}
      onOpen={(listing) => actions.open("decision", listing, listing.worth)}
      onEdit={(row, changes) => saveListingOf(row, changes)}
      empty={empty}
    />
  );
}
