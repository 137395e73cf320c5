import { useCallback, useEffect, useState } from "react";
import { useStable } from "@/shared/lib/useStable";
import { keepKeysFor, listenToKeys, loseKeys } from "@/shared/scanner/keyLine";
import { lazyPart } from "@/shared/ui/lazyPart";

const Palette = lazyPart(() => import("./Palette").then((m) => m.Palette));

const OPEN = "brickstow:palette";

/** Opens the palette from a button anywhere. */
export const openPalette = () => window.dispatchEvent(new Event(OPEN));

const isInDialog = (focused: Element) => focused.matches("[role=dialog] [role=combobox]");

/** The palette on every page: Ctrl+K (Command+K) opens and closes it. */
export function PaletteLayer() {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const onKeyDown = useStable((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    if (event.altKey || event.shiftKey || event.repeat || event.isComposing) return;
    // Another dialog has the keyboard alone.
    if (!open && document.querySelector("[role=dialog], [role=alertdialog]")) return;
    event.preventDefault();
    // What is typed while it opens belongs to its field.
    if (open) loseKeys();
    else keepKeysFor(isInDialog, () => undefined);
    setOpen(!open);
  });
  useEffect(() => listenToKeys(), []);
  useEffect(() => {
    const show = () => setOpen(true);
    // Captured: a grid and the station stop keys that they know.
    window.addEventListener("keydown", onKeyDown, true);
    window.addEventListener(OPEN, show);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener(OPEN, show);
    };
  }, [onKeyDown]);
  return open ? <Palette onClose={close} /> : null;
}
