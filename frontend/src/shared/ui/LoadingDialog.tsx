import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { ErrorState, Loading } from "./states";

/** Stands in for a dialog while what it shows loads, or could not be loaded. */
export function LoadingDialog(props: {
  title: string;
  query: { error: Error | null; refetch: () => unknown };
  onClose: () => void;
}) {
  const { title, query, onClose } = props;
  return (
    <Dialog onClose={onClose} title={title} footer={<Button onClick={onClose}>Close</Button>}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
