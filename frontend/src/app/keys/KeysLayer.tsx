import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { isForPage } from "@/shared/lib/usePageKey";
import { useStable } from "@/shared/lib/useStable";
import { type Press, useWaitingKeys } from "@/shared/scanner/presses";
import { lazyPart } from "@/shared/ui/lazyPart";
import { openPalette } from "../palette/PaletteLayer";
import { destinations } from "./destinations";

const KeysDialog = lazyPart(() => import("./KeysDialog").then((m) => m.KeysDialog));

/** How long a letter after `g` still means a page. */
const GO_MS = 1_500;

/** The keys of every page in the shell: `/` searches, `?` shows the keys, `g` and a letter goes. */
export function KeysLayer() {
  const [open, setOpen] = useState(false);
  const going = useRef(Number.NEGATIVE_INFINITY);
  const navigate = useNavigate();
  const onKeyDown = useStable((event: Press) => {
    const isGoing = event.timeStamp - going.current < GO_MS;
    going.current = Number.NEGATIVE_INFINITY;
    if (!isForPage(event)) return;
    const key = event.key.toLowerCase();
    const destination = isGoing && destinations.find(({ letter }) => letter === key);
    if (destination) void navigate(destination.to);
    else if (key === "g" && !event.shiftKey) going.current = event.timeStamp;
    else if (key === "/") focusSearch();
    else if (key === "?") setOpen(true);
    else return;
    // A letter that led to a page is not that page's own key.
    event.preventDefault();
  });
  useWaitingKeys(onKeyDown);
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [onKeyDown]);
  return open ? <KeysDialog onClose={() => setOpen(false)} /> : null;
}

/** A page without a search of its own gets the one for everything. */
function focusSearch() {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  if (!field) return openPalette();
  field.focus();
  field.select();
}
