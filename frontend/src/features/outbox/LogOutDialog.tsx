import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { logout } from "@/features/auth/public";
import { counted } from "@/shared/lib/format";
import { outbox } from "@/shared/outbox/theOutbox";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Notice } from "@/shared/ui/states";

/** What is unsent when a person logs out: sent first, kept for him on this computer, or discarded. */
export function LogOutDialog({ onClose }: { onClose: () => void }) {
  const requests = useStore(outbox.store, (state) => state.requests);
  const isAway = useStore(outbox.store, (state) => state.waitsFor !== null);
  const [isSending, setSending] = useState(false);
  const waiting = requests.filter(({ refusal }) => !refusal).length;
  useEffect(() => {
    if (isSending && waiting === 0) logout();
  }, [isSending, waiting]);
  const send = () => {
    setSending(true);
    outbox.tryNow();
  };
  const discard = async () => {
    await outbox.discard(requests);
    logout();
  };
  return (
    <Dialog
      onClose={onClose}
      title={`Log out with ${counted(waiting, "thing")} unsent?`}
      size="md"
      footer={
        <>
          <Button variant="danger" once className="mr-auto" onClick={() => void discard()}>
            Discard
          </Button>
          <Button onClick={logout}>Keep on this computer</Button>
          <Button variant="primary" loading={isSending && !isAway} onClick={send}>
            Send first
          </Button>
        </>
      }
    >
      <p>
        The server does not have it yet. Kept on this computer, it is sent when you sign in here
        again; nobody else who signs in sees it.
      </p>
      {isSending && isAway && (
        <div className="pt-3">
          <Notice tone="warning" title="The server cannot be reached">
            It is tried again by itself. You are logged out once everything is sent.
          </Notice>
        </div>
      )}
    </Dialog>
  );
}
