/**
 * Keys that are typed while the control they are meant for is still opening: a dialog whose part
 * is being fetched, or the colours of an item that is being looked up. They are kept, and go to
 * it in their order once it has the focus; else letters would be commands and digits a quantity.
 */
import { useEffect, useRef } from "react";
import { replay, TYPED_INTO } from "@/shared/scanner/replay";

const KEPT = new Set(["Enter", "Backspace", "ArrowUp", "ArrowDown"]);

export class TypeAhead {
  private keys: KeyboardEvent[] = [];
  private state: "idle" | "waiting" | "giving" = "idle";
  private replaying = false;

  /** From now on keys are kept, until a text field or a dialog has the focus. */
  expect(): void {
    this.state = "waiting";
  }

  get isWaiting(): boolean {
    return this.state === "waiting";
  }

  /** Keeps a key that is not for the page. Escape gives up what was kept, and is for the page. */
  takes(event: KeyboardEvent): boolean {
    if (this.state === "idle" || this.replaying) return false;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
    if (event.key === "Escape") this.forget();
    if (event.key.length !== 1 && !KEPT.has(event.key)) return false;
    this.keys.push(event);
    return true;
  }

  /** The focus has arrived somewhere: a text field or a dialog gets what was kept. */
  arrived(target: EventTarget | null): void {
    if (this.state !== "waiting" || !(target instanceof Element)) return;
    if (target.matches(TYPED_INTO) || target.closest("[role=dialog]")) void this.give();
  }

  /** The control does not come. Returns the letters that were kept for it. */
  forget(): string {
    const letters = this.keys.filter(({ key }) => key.length === 1).map(({ key }) => key);
    this.keys = [];
    this.state = "idle";
    return letters.join("");
  }

  private async give(): Promise<void> {
    this.state = "giving";
    while (this.state === "giving") {
      // A turn for each: what a key changed is on the page before the next one.
      await new Promise((resolve) => setTimeout(resolve));
      const key = this.state === "giving" ? this.keys.shift() : undefined;
      if (!key) break;
      this.replaying = true;
      replay(key, document.activeElement);
      this.replaying = false;
    }
    if (this.state === "giving") this.state = "idle";
  }
}

/** One for the page; it hears each key before anybody else, and where the focus goes. */
export function useTypeAhead(): TypeAhead {
  const ahead = useRef<TypeAhead>(null);
  ahead.current ??= new TypeAhead();
  useEffect(() => {
    const onFocus = (event: FocusEvent) => ahead.current?.arrived(event.target);
    const onKey = (event: KeyboardEvent) => {
      if (!ahead.current?.takes(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener("focusin", onFocus);
    window.addEventListener("keydown", onKey, { capture: true });
    return () => {
      window.removeEventListener("focusin", onFocus);
      window.removeEventListener("keydown", onKey, { capture: true });
    };
  }, []);
  return ahead.current;
}
