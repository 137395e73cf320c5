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

/** Keys have no place. */
const isByKey = ({ x, y }: Pick<Press, "x" | "y">) => x === 0 && y === 0;

/** Whether a pointer is where it pressed last. */
function isSameSpot({ x, y }: Press, clientX: number, clientY: number): boolean {
  const isNear = Math.abs(clientX - x) < SPOT && Math.abs(clientY - y) < SPOT;
  return isNear && !isByKey({ x: clientX, y: clientY });
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
 * Whether a click belongs to the press before it: the second click of a double click, or Enter
 * pressed twice at once or held, with nothing else done between; whatever button has come under
 * the pointer or has got the focus meanwhile.
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
    (last.button === button || isSameSpot(last, x, y) || (isByKey(last) && isByKey({ x, y })));
  last = { button, at, x, y };
  return isSame || detail > 1 || enterIsHeld;
}

/** The same of Enter in a field, where it does what a button would do. */
export function isSecondEnter(event: { currentTarget: EventTarget; timeStamp: number }): boolean {
  const { currentTarget, timeStamp } = event;
  return isSecondPress({ currentTarget, timeStamp, detail: 0, clientX: 0, clientY: 0 });
}
