import { useStore } from "zustand";
import { counted, formatWhen } from "@/shared/lib/format";
import type { State } from "@/shared/outbox/outbox";
import { outbox } from "@/shared/outbox/theOutbox";
import { isHeld, PARTLY, type Unsent } from "@/shared/outbox/unsent";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { EmptyState } from "@/shared/ui/states";
import { tellFailure } from "@/shared/ui/tellFailure";
import { toast } from "@/shared/ui/toast";

const MOST = 100;

/** All that is unsent or refused: what, since when, why, and what can be done about it. */
export function UnsentDialog({ onClose }: { onClose: () => void }) {
  const { requests, waitsFor } = useStore(outbox.store);
  const refused = requests.filter(({ refusal }) => refusal);
  const waiting = requests.filter(({ refusal }) => !refusal);
  const all = [...refused, ...waiting];
  return (
    <Dialog
      onClose={onClose}
      title="Unsent"
      description="Kept on this computer and sent automatically."
      size="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabledReason={waiting.length === 0 && "Nothing waits"}
            onClick={outbox.tryNow}
          >
            Try now
          </Button>
        </>
      }
    >
      {all.length === 0 ? (
        <EmptyState title="Everything is sent" />
      ) : (
        <ul aria-label="Unsent" className="divide-y divide-line">
          {all.slice(0, MOST).map((one) => (
            <Line
              key={one.key}
              request={one}
              why={whyOf(one, { waiting, refused, waitsFor })}
              onShow={onClose}
            />
          ))}
        </ul>
      )}
      {all.length > MOST && (
        <p className="pt-2 text-muted text-sm">and {counted(all.length - MOST, "more", "more")}</p>
      )}
    </Dialog>
  );
}

type Others = {
  waiting: readonly Unsent[];
  refused: readonly Unsent[];
  waitsFor: State["waitsFor"];
};

function whyOf(one: Unsent, { waiting, refused, waitsFor }: Others): string {
  if (one.refusal) return one.refusal.message;
  if (one.why) return one.why;
  if (waitsFor === "line") return "No connection to the server";
  if (waitsFor === "signIn") return "Waits until you have signed in again";
  if (isHeld(one, refused)) return "Waits for your decision on an earlier refusal";
  const before = waiting.slice(0, waiting.indexOf(one));
  const isBehind = before.some(({ rows }) => rows.some((row) => one.rows.includes(row)));
  return isBehind ? "Waits for the one before it" : "On its way";
}

function Line(props: { request: Unsent; why: string; onShow: () => void }) {
  const { request, why, onShow } = props;
  const discard = async () => {
    const undo = await outbox.discard([request]);
    toast.success(`Discarded: ${request.words}`, {
      ...(request.isStarted && !request.refusal && { detail: "The server may have it already." }),
      action: { label: "Undo", run: undo },
    });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere font-medium">{request.words}</p>
        <p className="wrap-anywhere text-sm">
          <span className="text-muted">
            Since {formatWhen(new Date(request.since).toISOString(), Date.now())}.{" "}
          </span>
          <span className={request.refusal ? "text-danger" : "text-muted"}>{why}</span>
        </p>
      </div>
      <div className="flex gap-2">
        <ButtonLink size="sm" variant="ghost" to={request.to} onClick={onShow}>
          Show
        </ButtonLink>
        {request.refusal && request.refusal.code !== PARTLY && (
          <Button size="sm" once onClick={() => outbox.tryAgain(request).catch(tellFailure)}>
            Try again
          </Button>
        )}
        <Button size="sm" once onClick={() => void discard().catch(tellFailure)}>
          Discard
        </Button>
      </div>
    </li>
  );
}
