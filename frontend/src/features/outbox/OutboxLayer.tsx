import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { useStore } from "zustand";
import { seatOf, useUser } from "@/features/auth/public";
import { counted } from "@/shared/lib/format";
import { invalidate } from "@/shared/lib/tags";
import { outbox } from "@/shared/outbox/theOutbox";
import { preloadDialog } from "@/shared/ui/Dialog";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { closeLeft, closeUnsent, opened, openUnsent } from "./opened";
import { UnsentDialog } from "./UnsentDialog";

const LeftDialog = lazyPart(() => import("./LeftDialog").then((m) => m.LeftDialog));
const noop = () => undefined;

/** The page itself is loaded first. */
const AFTER_THE_PAGE_MS = 1_000;

/** Sends what the person did, on every page, and tells of refusals wherever he is. */
export function OutboxLayer() {
  const user = useUser();
  const person = user ? seatOf(user) : undefined;
  const { isOpen, left } = useStore(opened);
  const client = useQueryClient();
  useEffect(() => {
    if (person !== undefined) void outbox.open(person);
  }, [person]);
  useEffect(
    () =>
      outbox.onOutcome(null, ({ request: { key, kind, rows, stale } }) => {
        // The last answer of an act reads the rows again.
        const goesOn = outbox.store
          .getState()
          .requests.some(
            (one) =>
              one.key !== key && !one.refusal && one.kind === kind && one.rows[0] === rows[0],
          );
        if (stale && !goesOn) void invalidate(client, ...stale);
      }),
    [client],
  );
  // Without a connection the list could not be loaded when it is needed.
  useEffect(() => {
    const timer = setTimeout(() => {
      void preloadDialog();
      if (user) void import("./left").then(({ tellLeft }) => tellLeft(user), noop);
    }, AFTER_THE_PAGE_MS);
    return () => clearTimeout(timer);
  }, [user]);
  useRefusals();
  return (
    <>
      {isOpen && <UnsentDialog onClose={closeUnsent} />}
      {left.length > 0 && <LeftDialog requests={left} onClose={closeLeft} />}
    </>
  );
}

/** One notice for all refusals that no page shows in their place. */
function useRefusals(): void {
  const navigate = useNavigate();
  const requests = useStore(outbox.store, (state) => state.requests);
  const told = useRef(new Set<string>());
  useEffect(() => {
    const refused = requests.filter((one) => one.refusal && !one.isShown);
    const [first] = refused;
    if (!first?.refusal) {
      if (told.current.size > 0) toast.remove("refused");
      told.current.clear();
      return;
    }
    if (refused.every(({ key }) => told.current.has(key))) return;
    told.current = new Set(refused.map(({ key }) => key));
    const isOne = refused.length === 1;
    const show = () => {
      if (isOne && first.to) void navigate(first.to);
      else openUnsent();
    };
    toast.error(isOne ? `Refused: ${first.words}` : `${counted(refused.length, "thing")} refused`, {
      id: "refused",
      duration: Number.POSITIVE_INFINITY,
      detail: isOne ? first.refusal.message : "Each is in the list, with the reason.",
      action: { label: "Show", run: show },
    });
  }, [requests, navigate]);
}
