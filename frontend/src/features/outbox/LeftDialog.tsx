import { counted, formatWhen } from "@/shared/lib/format";
import type { Unsent } from "@/shared/outbox/unsent";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { tellFailure } from "@/shared/ui/tellFailure";
import { discardLeft, saveLeft } from "./left";

const MOST = 100;

/** What a person could not send to a store that he left: a file for its owner, or nothing. */
export function LeftDialog(props: { requests: readonly Unsent[]; onClose: () => void }) {
  const { requests, onClose } = props;
  const discard = () => discardLeft(requests).then(onClose, tellFailure);
  return (
    <Dialog
      onClose={onClose}
      title="Unsent for a store that you left"
      description="That store accepts nothing from you now. Give its owner a file of it, or have him sign in on this computer and send it."
      size="lg"
      footer={
        <>
          <Button variant="danger" once className="mr-auto" onClick={() => void discard()}>
            Discard {counted(requests.length, "thing")}
          </Button>
          <Button onClick={onClose}>Keep on this computer</Button>
          <Button variant="primary" onClick={() => saveLeft(requests)}>
            Save file
          </Button>
        </>
      }
    >
      <ul aria-label="Unsent" className="divide-y divide-line">
        {requests.slice(0, MOST).map(({ key, words, since, isStarted }) => (
          <li key={key} className="py-2.5">
            <p className="wrap-anywhere font-medium">{words}</p>
            <p className="text-muted text-sm">
              Since {formatWhen(new Date(since).toISOString(), Date.now())}
              {isStarted && ". The store may have it already."}
            </p>
          </li>
        ))}
      </ul>
      {requests.length > MOST && (
        <p className="pt-2 text-muted text-sm">
          and {counted(requests.length - MOST, "more", "more")}
        </p>
      )}
    </Dialog>
  );
}
