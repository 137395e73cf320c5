/**
 * Tells a double click from two presses. A server nearby answers within one: the button is free
 * again when the second half of the double click arrives, and would write twice.
 */

/** The longest double click that operating systems offer, in milliseconds. */
export const DOUBLE_CLICK_MS = 500;

/** A hand trembles by so many pixels between the clicks. */
const SPOT = 4;

type Press = { button: EventTarget; at: number; x: number; y: number };

let last: Press | null = null;
let enterIsHeld = false;

const isEnter = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";

/** Whether a pointer is where it pressed last. Keys have no place (0, 0). */
function isSameSpot({ x, y }: Press, clientX: number, clientY: number): boolean {
  const isNear = Math.abs(clientX - x) < SPOT && Math.abs(clientY - y) < SPOT;
  return isNear && (clientX !== 0 || clientY !== 0);
}

/** Anything else that is pressed or typed makes the next press a new one. */
function forget(event: Event): void {
  if (!last) return;
  const { button } = last;
  if (event instanceof MouseEvent && isSameSpot(last, event.clientX, event.clientY)) return;
  if (button instanceof Node && event.target instanceof Node && button.contains(event.target)) {
    return;
  }
  last = null;
}

const options = { capture: true, passive: true };
for (const type of ["pointerdown", "input", "change"]) {
  window.addEventListener(type, forget, options);
}
window.addEventListener(
  "keydown",
  (event) => {
    enterIsHeld = event.repeat && isEnter(event);
    if (!isEnter(event)) forget(event);
  },
  options,
);
for (const type of ["keyup", "blur"]) {
  window.addEventListener(
    type,
    () => {
      enterIsHeld = false;
    },
    options,
  );
}

/**
 * Whether a click belongs to the press before it: the second click of a double click, whatever
 * button has come under the pointer meanwhile, or Enter pressed twice at once or held, with
 * nothing else done between.
 */
export function isSecondPress(event: {
  currentTarget: EventTarget;
  detail: number;
  timeStamp: number;
  clientX: number;
  clientY: number;
}): boolean {
  const { currentTarget: button, detail, timeStamp: at, clientX: x, clientY: y } = event;
  const isSame =
    last !== null &&
    at - last.at < DOUBLE_CLICK_MS &&
    (last.button === button || isSameSpot(last, x, y));
  last = { button, at, x, y };
  return isSame || detail > 1 || enterIsHeld;
}
