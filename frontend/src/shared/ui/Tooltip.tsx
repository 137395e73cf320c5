import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";

type Place = { left: number; top: number; above: boolean };
type Anchor = ReactElement<{ "aria-describedby"?: string }>;

/**
 * A short text for a hovered or focused element. Our own, because the shell's bar needs tooltips
 * and no other part of a positioning library. Escape hides it, and it can be hovered (WCAG 1.4.13).
 * With `describes` false, the text repeats the accessible name and is not read twice. Without a
 * text there is no tooltip.
 */
export function Tooltip(props: { text: string | null; describes?: boolean; children: Anchor }) {
  const { text, describes = true, children } = props;
  const id = useId();
  const holder = useRef<HTMLSpanElement>(null);
  const timer = useRef(0);
  const [place, setPlace] = useState<Place | null>(null);

  const show = (delay: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const box = holder.current?.firstElementChild?.getBoundingClientRect();
      if (!box) return;
      const above = box.bottom + 40 > window.innerHeight;
      const left = Math.min(Math.max(box.left + box.width / 2, 80), window.innerWidth - 80);
      setPlace({ left, top: above ? box.top - 6 : box.bottom + 6, above });
    }, delay);
  };
  const hide = (delay: number) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setPlace(null), delay);
  };

  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (!place) return;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && setPlace(null);
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [place]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for its one child
    <span
      ref={holder}
      className="contents"
      onPointerEnter={() => show(350)}
      onPointerLeave={() => hide(80)}
      onPointerDown={() => hide(0)}
      onFocus={(event) => event.target.matches(":focus-visible") && show(0)}
      onBlur={() => hide(0)}
    >
      {describes && text && place ? cloneElement(children, { "aria-describedby": id }) : children}
      {text &&
        place &&
        createPortal(
          <span
            role="tooltip"
            id={id}
            style={{ left: place.left, top: place.top }}
            onPointerEnter={() => window.clearTimeout(timer.current)}
            onPointerLeave={() => hide(80)}
            className={`z-tooltip pointer-events-auto fixed max-w-64 -translate-x-1/2 animate-fade-in rounded-control bg-ink px-2 py-1 text-xs text-canvas shadow-float ${place.above ? "-translate-y-full" : ""}`}
          >
            {text}
          </span>,
          document.body,
        )}
    </span>
  );
}
