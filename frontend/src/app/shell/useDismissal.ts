import { type RefObject, useEffect } from "react";
import { elementOf } from "@/shared/lib/records";
import { KEEPS_DROPDOWNS_OPEN } from "@/shared/ui/dropdownRules";

/**
 * Closes what is open on a press outside `holder` (but not on the export-batch-items button), when
 * the focus goes outside by Tab, and on Escape, which gives it back to `opener` if it lay inside.
 */
export function useDismissal(dismissal: {
  open: boolean;
  onClose: () => void;
  holder: RefObject<HTMLElement | null>;
  opener: RefObject<HTMLElement | null>;
}): void {
  const { open, onClose, holder, opener } = dismissal;
  useEffect(() => {
    if (!open) return;
    const held = holder.current;
    const closeFor = (target: Element | null) => {
      if (!held?.contains(target) && !target?.closest(KEEPS_DROPDOWNS_OPEN)) onClose();
    };
    const onPress = (event: Event) => closeFor(elementOf(event.target));
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget) closeFor(elementOf(event.relatedTarget));
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      onClose();
      if (held?.contains(document.activeElement)) opener.current?.focus();
    };
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("keydown", onKey);
    held?.addEventListener("focusout", onFocusOut);
    return () => {
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("keydown", onKey);
      held?.removeEventListener("focusout", onFocusOut);
    };
  }, [open, onClose, holder, opener]);
}
