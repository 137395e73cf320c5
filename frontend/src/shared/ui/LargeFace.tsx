import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { isRender, lackOf, sourcesFor } from "./faces";

const SIZE = 256;
const GAP = 8;
const WAIT_MS = 350;

type Shown = { src: string; name: string; left: number; top: number };

/** The picture inside the element that is hovered or focused. */
function faceOf(target: EventTarget | null, within: boolean): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const face = target.closest<HTMLElement>("[data-face]");
  if (face || !within) return face;
  // A row or a field may contain several pictures; only an element with one shows it large.
  const faces = target.querySelectorAll<HTMLElement>("[data-face]");
  return faces.length === 1 ? (faces[0] ?? null) : null;
}

function place(face: HTMLElement): Shown | null {
  const src = face.dataset.face;
  const box = face.getBoundingClientRect();
  // Pictures of this size have no larger one.
  if (!src || box.width >= SIZE * 0.6 || box.width === 0) return null;
  const height = SIZE + 64;
  const right = box.right + GAP;
  const fits = right + SIZE + GAP <= window.innerWidth;
  return {
    src,
    name: face.dataset.faceName ?? "",
    left: fits ? right : Math.max(GAP, box.left - SIZE - GAP),
    top: Math.max(GAP, Math.min(box.top - GAP, window.innerHeight - height - GAP)),
  };
}

/** The large picture of the hovered or focused picture: one for the page. */
export function LargeFace() {
  const [shown, setShown] = useState<Shown | null>(null);

  useEffect(() => {
    let timer = 0;
    let current: HTMLElement | null = null;
    const hide = () => {
      window.clearTimeout(timer);
      current = null;
      setShown(null);
    };
    const show = (face: HTMLElement | null) => {
      if (face === current) return;
      hide();
      if (!face) return;
      current = face;
      timer = window.setTimeout(() => {
        if (face.isConnected) setShown(place(face));
      }, WAIT_MS);
    };
    let [x, y] = [-1, -1];
    const onMove = (event: PointerEvent) => {
      [x, y] = [event.clientX, event.clientY];
    };
    const onPointer = (event: PointerEvent) => {
      // What appears under a mouse at rest is not pointed at: it would cover what is beside it.
      const rests = event.clientX === x && event.clientY === y;
      if (event.pointerType === "mouse") show(rests ? null : faceOf(event.target, false));
    };
    const onFocus = (event: FocusEvent) => {
      const target = event.target;
      if (target instanceof Element && target.matches(":focus-visible")) show(faceOf(target, true));
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("pointermove", onMove, { signal });
    document.addEventListener("pointerover", onPointer, { signal });
    document.addEventListener("focusin", onFocus, { signal });
    for (const end of ["focusout", "pointerdown", "keydown"]) {
      document.addEventListener(end, hide, { signal });
    }
    document.addEventListener("scroll", hide, { signal, capture: true });
    return () => {
      hide();
      listening.abort();
    };
  }, []);

  if (!shown) return null;
  return createPortal(
    <div
      aria-hidden="true"
      data-large-face=""
      className="pointer-events-none fixed z-tooltip w-64 overflow-hidden rounded-card border border-line bg-raised shadow-float"
      style={{ left: shown.left, top: shown.top }}
    >
      <img
        {...sourcesFor(shown.src, SIZE)}
        alt=""
        width={SIZE}
        height={SIZE}
        className="size-64 bg-linear-to-b from-ground to-ground-low object-contain"
      />
      <div className="flex flex-col px-3 py-2 text-xs">
        {shown.name && <span className="truncate font-medium text-sm">{shown.name}</span>}
        <span className="text-muted first-letter:uppercase">{lackOf(shown.src)}</span>
        {isRender(shown.src) && <span className="text-muted">Model: The LDraw Parts Library</span>}
      </div>
    </div>,
    document.body,
  );
}
