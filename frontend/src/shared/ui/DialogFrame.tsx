import * as Radix from "@radix-ui/react-dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import {
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { watchInput } from "@/shared/lib/heldInput";
import { elementOf } from "@/shared/lib/records";
import { useStable } from "@/shared/lib/useStable";
import { Button, IconButton } from "./Button";
import { useEscape } from "./useEscape";

export type DialogProps = {
  /** For a dialog that is in the page also while it is closed. */
  open?: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences under the title, read out with it. */
  description?: ReactNode;
  size?: keyof typeof widths;
  /** Buttons, right-aligned, the main one last. They stay visible while the body scrolls. */
  footer?: ReactNode;
  /** True while closing would lose work: Escape and a click outside then have no effect. */
  locked?: boolean;
  /**
   * Whether it holds input that closing would lose, so that it asks first. Default: it checks for
   * typed text itself. False where typed text is kept anyway.
   */
  holdsInput?: boolean;
  /** Whether it holds something chosen, beside typed text, that closing would lose. */
  holdsChoice?: boolean;
  children?: ReactNode;
};

const widths = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl", xl: "max-w-6xl" };
const places = {
  middle: clsx(
    "inset-x-0 bottom-0 mx-auto max-h-[92dvh] w-full animate-pop-in rounded-t-card border",
    "sm:top-[8vh] sm:bottom-auto sm:max-h-[84vh] sm:w-[calc(100%-2rem)] sm:rounded-card",
  ),
  side: "inset-y-0 right-0 w-full max-w-lg animate-slide-in border-l",
};

/** The focused element before each dialog was opened. */
const openers = new WeakMap<Element, Element | null>();

/**
 * The button that opened a dialog. For a dialog that followed another one, the button of the first.
 */
function placeOf(opener: Element | null): HTMLElement | null {
  let place = opener;
  while (place && !place.isConnected) {
    const dialog = place.closest("[role=dialog]");
    place = (dialog && openers.get(dialog)) ?? null;
  }
  return place instanceof HTMLElement ? place : null;
}

/** The open dialog itself, in the middle or at the side. */
export function DialogFrame(props: Omit<DialogProps, "open"> & { place: keyof typeof places }) {
  const { onClose, title, description, size = "md", footer, locked = false, place } = props;
  const { children } = props;
  // Radix returns the focus only to its own triggers; ours are plain buttons.
  const [opener] = useState(() => document.activeElement);
  const unlessLocked = (event: Event) => locked && event.preventDefault();
  const [asking, setAsking] = useState(false);
  const { isTyped, handlers } = useTypedInput(props.holdsInput, props.holdsChoice);
  const close = () => (isTyped() ? setAsking(true) : onClose());
  const onEscape = useEscape(() => !locked && close());
  return (
    <Radix.Root open onOpenChange={(next) => !next && close()}>
      <Radix.Portal>
        <Radix.Overlay className="z-dialog fixed inset-0 animate-fade-in bg-backdrop" />
        <Radix.Content
          {...handlers}
          ref={(content) => {
            if (content) openers.set(content, opener);
          }}
          // Runs only if no element inside has taken the focus. The dialog is then read out, and
          // its Close button does not show its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // Unless a dialog that followed it already has the focus.
            if (document.activeElement === document.body) placeOf(opener)?.focus();
          }}
          onEscapeKeyDown={onEscape}
          onPointerDownOutside={unlessLocked}
          onInteractOutside={(event) => {
            const target = elementOf(event.target);
            if (locked || target?.closest("[data-toasts]")) event.preventDefault();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          data-foot=""
          className={clsx(
            "z-dialog fixed flex flex-col border-line bg-raised shadow-float outline-none",
            places[place],
            place === "middle" && widths[size],
          )}
        >
          <header
            className={clsx(
              "flex items-start justify-between gap-3 border-line px-4 py-3",
              children && "border-b",
            )}
          >
            <div className="min-w-0">
              <Radix.Title className="wrap-anywhere font-semibold text-base">{title}</Radix.Title>
              {description && (
                <Radix.Description asChild>
                  <div className="wrap-anywhere mt-0.5 text-muted text-sm">{description}</div>
                </Radix.Description>
              )}
            </div>
            {!locked && <IconButton label="Close" icon={X} size="sm" onClick={close} />}
          </header>
          {children && <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>}
          {footer && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-3">
              {footer}
            </footer>
          )}
          {asking && (
            <DialogFrame
              place="middle"
              size="sm"
              title="Discard what you typed?"
              description="It has not been saved."
              onClose={() => setAsking(false)}
              footer={
                <>
                  <Button autoFocus onClick={() => setAsking(false)}>
                    Keep editing
                  </Button>
                  <Button
                    variant="danger"
                    onClick={() => {
                      setAsking(false);
                      onClose();
                    }}
                  >
                    Discard
                  </Button>
                </>
              }
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type Control = HTMLInputElement | HTMLTextAreaElement;

/** Search fields: nothing is lost with their text. */
const SEARCHES = "[type=search], [role=combobox]";

function isTextControl(target: EventTarget): target is Control {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly;
  return (
    target instanceof HTMLInputElement &&
    /^(text|email|password|number|date|datetime-local|url|tel)$/.test(target.type) &&
    !target.readOnly &&
    !target.matches(SEARCHES)
  );
}

/**
 * Whether a field inside has unsaved typed text: a text that differs from that at the first focus.
 * `known` overrides it, `more` adds to it. Spread `handlers` on the element around.
 */
function useTypedInput(known?: boolean, more = false) {
  const before = useRef(new Map<Control, string>());
  const isTyped = useStable(
    () =>
      known ??
      (more ||
        [...before.current].some(
          ([control, text]) => control.isConnected && control.value !== text,
        )),
  );
  useEffect(() => watchInput({ isHeld: isTyped, modal: true }), [isTyped]);
  const onFocusCapture = ({ target }: FocusEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.value);
    }
  };
  const onInputCapture = ({ target }: FormEvent) => {
    if (isTextControl(target) && !before.current.has(target)) {
      before.current.set(target, target.defaultValue); // the text was there before the focus
    }
  };
  /** After sending from a dialog that stays open, the text no longer counts as unsaved. */
  const onSubmitCapture = ({ target }: FormEvent) => {
    for (const control of before.current.keys()) {
      if (elementOf(target)?.contains(control)) before.current.set(control, control.value);
    }
  };
  return { isTyped, handlers: { onFocusCapture, onInputCapture, onSubmitCapture } };
}
