import type { ReactNode } from "react";
import { Button } from "./Button";
import { Drawer } from "./Dialog";
import { ErrorState, Loading } from "./states";

type Fetched = { error: unknown; refetch: () => unknown };

/** The pages loaded so far, and whether there are more. */
type Paged<Row> = Fetched & {
  data: { pages: { data: Row[] }[] } | undefined;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

/** A drawer with a list, newest first. Older rows load on request. */
export function PagedDrawer<Row>(props: {
  title: string;
  description: string;
  onClose: () => void;
  list: Paged<Row>;
  /** Shown while the list has no rows. */
  empty: ReactNode;
  children: (rows: Row[]) => ReactNode;
  /** Content above the list, and its query: if that fails, the drawer shows the error. */
  head?: ReactNode;
  headQuery?: Fetched;
}) {
  const { list, headQuery } = props;
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const error = headQuery?.error ?? list.error;
  const retry = () => {
    void headQuery?.refetch();
    void list.refetch();
  };
  return (
    <Drawer onClose={props.onClose} title={props.title} description={props.description}>
      {props.head}
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : list.isPending ? (
        <Loading />
      ) : rows.length === 0 ? (
        props.empty
      ) : (
        props.children(rows)
      )}
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Older ones
          </Button>
        </div>
      )}
    </Drawer>
  );
}
