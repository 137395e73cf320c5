import { useBlocker } from "react-router-dom";
import { currentUser } from "@/features/auth/public";
import { isDialogHeld, isInputHeld } from "@/shared/lib/heldInput";
import { ConfirmDialog } from "@/shared/ui/Destructive";

/** Asks before a page is left with input that is not saved. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    if (currentUser() === null) return false; // the session is over: forms keep what was typed
    // Over an open dialog only the history can be moved; other moves are what its button did.
    if (historyAction === "POP" && isDialogHeld()) return true;
    const leaves = currentLocation.pathname !== nextLocation.pathname;
    return leaves && isInputHeld({ modal: false });
  });
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title="Leave without saving?"
      confirmLabel="Leave"
      danger
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      What you typed on this page has not been saved.
    </ConfirmDialog>
  );
}
