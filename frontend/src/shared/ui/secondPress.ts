/**
 * Tells a double click from two presses. A nearby server answers within one double click: the
 * button is enabled again at the second click, which would write twice.
 */

/** The longest double click that operating systems offer, in milliseconds. */
export const DOUBLE_CLICK_MS = 500;

/** Movement in pixels that counts as the same place. */
const SPOT = 4;

type Press = { button: EventTarget; at: number; x: number; y: number };

let last: Press | null = null;
let enterIsHeld = false;

const isEnter = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";

/** Keys have no position. */
const isByKey = ({ x, y }: Pick<Press, "x" | "y">) => x === 0 && y === 0;

/** Whether a pointer is at the place of its last press. */
function isSameSpot({ x, y }: Press, clientX: number, clientY: number): boolean {
  const isNear = Math.abs(clientX - x) < SPOT && Math.abs(clientY - y) < SPOT;
  return isNear && !isByKey({ x: clientX, y: clientY });
}

/** Any other press or key makes the next press a new one. */
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
 * pressed twice quickly or held, without any other press between them. It does not matter which
 * button is now under the pointer or has the focus.
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

/** The same for Enter in a field, where it submits like a button. */
export function isSecondEnter(event: { currentTarget: EventTarget; timeStamp: number }): boolean {
  const { currentTarget, timeStamp } = event;
  return isSecondPress({ currentTarget, timeStamp, detail: 0, clientX: 0, clientY: 0 });
}
