import { type RefObject, useLayoutEffect, useState } from "react";

/** What stays at the foot of the window, and the act of a page. */
const KEPT_FREE = "[data-foot], [data-primary]";
const GAP = 12;

/** How far above the foot of the window `stack` stands, so that it covers no act. */
function floorBelow(stack: HTMLElement): number {
  const { left, right, height } = stack.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(KEPT_FREE)]
    .map((one) => one.getBoundingClientRect())
    .filter((box) => box.height > 0 && box.left < right && box.right > left)
    .sort((one, other) => other.bottom - one.bottom);
  let floor = GAP;
  for (const { top, bottom } of boxes) {
    const foot = window.innerHeight - floor;
    if (top < foot && bottom > foot - height) floor = window.innerHeight - top + GAP;
  }
  // In a low window it had better cover something than leave it.
  return Math.max(GAP, Math.min(floor, window.innerHeight - height - GAP));
}

/** Where the stack's foot is, in pixels above the window's, while it holds `count` boxes. */
export function useFloor(stack: RefObject<HTMLElement | null>, count: number): number {
  const [floor, setFloor] = useState(GAP);
  useLayoutEffect(() => {
    if (count === 0) return;
    const measure = () => {
      if (stack.current) setFloor(floorBelow(stack.current));
    };
    let asked = 0;
    const measureSoon = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(measure);
    };
    measure();
    const watch = new MutationObserver(measureSoon);
    watch.observe(document.body, { childList: true, subtree: true });
    window.addEventListener("scroll", measureSoon, { capture: true, passive: true });
    window.addEventListener("resize", measureSoon);
    return () => {
      cancelAnimationFrame(asked);
      watch.disconnect();
      window.removeEventListener("scroll", measureSoon, { capture: true });
      window.removeEventListener("resize", measureSoon);
    };
  }, [stack, count]);
  return floor;
}
