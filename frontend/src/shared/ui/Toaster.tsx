import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { type Toast, useToaster } from "react-hot-toast/headless";
import { problemText } from "@/shared/lib/problem";
import { elementOf } from "@/shared/lib/records";
import { IconButton } from "./Button";
import { Spinner } from "./Spinner";
import { isSecondPress } from "./secondPress";
import { contentOf, type ToastAction, type ToastTone, toast as toasts } from "./toast";

const icons = {
  info: <Info aria-hidden="true" className="size-4 text-info" />,
  success: <CircleCheck aria-hidden="true" className="size-4 text-success" />,
  error: <CircleAlert aria-hidden="true" className="size-4 text-danger" />,
  progress: <Spinner className="text-accent-ink" />,
} satisfies Record<ToastTone, unknown>;

/** A toast closes once it is dragged by this share of its width. */
const DISMISS_AT = 0.8;

/** More than these would cover the page; those below come forward as the newer ones close. */
const MOST_SHOWN = 3;

/** Where toasts appear: lower left, newest on top, over no act. Mounted once, above the router. */
export function Toaster() {
  const { toasts, handlers } = useToaster({ duration: 5000, removeDelay: 160 });
  const [isOver, setOver] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const [away, setAway] = useState(false);
  const paused = isOver || hasFocus || away;
  const shown = toasts.slice(0, MOST_SHOWN);
  const stack = useRef<HTMLElement>(null);
  const floor = useFloor(stack, shown.length);

  useEffect(() => {
    const note = ({ type }: Event) => setAway(type === "blur");
    for (const type of ["blur", "focus"]) window.addEventListener(type, note);
    return () => {
      for (const type of ["blur", "focus"]) window.removeEventListener(type, note);
    };
  }, []);
  // A control that goes with its toast loses the focus without a word.
  useEffect(() => setHasFocus(stack.current?.contains(document.activeElement) ?? false));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers are new in each render
  useEffect(() => (paused ? handlers.startPause() : handlers.endPause()), [paused]);

  return (
    <section
      ref={stack}
      aria-label="Notifications"
      data-toasts=""
      // Here before the first toast: what is announced is added to a region that is known already.
      // An open dialog hides the page from screen readers, but no element with this attribute, so
      // an Undo stays in reach.
      aria-live="polite"
      style={{ bottom: floor }}
      className="z-toast pointer-events-none fixed left-3 flex max-w-[min(600px,calc(100%-1.5rem))] flex-col items-start gap-2"
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      {shown.map((item) => (
        // An error is a new box: an alert interrupts only as it is added.
        <ToastBox key={`${item.id} ${contentOf(item.id)?.tone === "error"}`} item={item} />
      ))}
    </section>
  );
}

/** Runs the act of a toast. What it throws is told in a toast of its own. */
async function take(action: ToastAction): Promise<void> {
  try {
    await action.run();
  } catch (error) {
    toasts.error(problemText(error));
  }
}

function ToastBox({ item }: { item: Toast }) {
  const content = contentOf(item.id);
  const from = useRef<number | null>(null);
  const [shift, setShift] = useState(0);
  if (!content) return null;

  const dismiss = () => {
    toasts.close(item.id);
    content.onDismiss?.();
  };
  const grab = (event: PointerEvent<HTMLDivElement>) => {
    if (elementOf(event.target)?.closest("button")) return;
    from.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (from.current !== null) setShift(event.clientX - from.current);
  };
  const release = (event: PointerEvent) => {
    if (from.current === null) return;
    const dragged = Math.abs(event.clientX - from.current);
    from.current = null;
    const { width } = event.currentTarget.getBoundingClientRect();
    if (dragged >= width * DISMISS_AT) dismiss();
    else setShift(0);
  };

  const { tone, text, detail, action } = content;
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      data-toast=""
      onPointerDown={grab}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      style={
        shift
          ? {
              transform: `translateX(${shift}px)`,
              opacity: 1 - Math.min(0.7, Math.abs(shift) / 600),
            }
          : undefined
      }
      className={clsx(
        "pointer-events-auto flex w-fit min-w-64 max-w-[min(600px,100%)] touch-pan-y select-none items-start gap-2.5 rounded-card border border-line bg-raised py-2.5 pr-2 pl-3 shadow-float",
        item.visible ? "animate-pop-in" : "opacity-0 transition-opacity duration-150",
      )}
    >
      <span className="mt-0.5 shrink-0">{icons[tone]}</span>
      <div className="min-w-0 flex-1 py-px">
        <div className="break-words">{text}</div>
        {detail && (
          // How far it is would be read again and again.
          <div
            aria-live={tone === "progress" ? "off" : undefined}
            className="mt-1 text-muted text-xs"
          >
            {detail}
          </div>
        )}
        {action && (
          <button
            type="button"
            className="mt-1 font-medium text-accent-ink hover:underline"
            onClick={(event) => {
              // While it is removed, and when the next toast has its place.
              if (isSecondPress(event)) return;
              toasts.remove(item.id);
              void take(action);
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <IconButton
        label="Dismiss"
        size="sm"
        icon={<X aria-hidden="true" className="size-3.5" />}
        onClick={dismiss}
      />
    </div>
  );
}

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
function useFloor(stack: RefObject<HTMLElement | null>, count: number): number {
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
