import "@testing-library/jest-dom";
import { configure } from "@testing-library/react";
import { toast } from "@/shared/ui/toast";
import { media, resetMedia } from "./media";

// What is awaited comes late on a busy machine; that is not what is tested.
configure({ asyncUtilTimeout: 10_000 });

// What jsdom lacks and our components ask for.
window.matchMedia = media;
window.scrollTo = () => undefined;
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.setPointerCapture = () => undefined;
Element.prototype.hasPointerCapture = () => false;
Element.prototype.releasePointerCapture = () => undefined;
window.PointerEvent ??= class extends MouseEvent {
  readonly pointerId: number;
  readonly pointerType: string;
  constructor(type: string, init: PointerEventInit = {}) {
    super(type, init);
    this.pointerId = init.pointerId ?? 1;
    this.pointerType = init.pointerType ?? "mouse";
  }
} as typeof PointerEvent;
window.IntersectionObserver = class {
  observe(): void {}
  disconnect(): void {}
} as unknown as typeof IntersectionObserver;
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

beforeEach(() => {
  toast.removeAll();
  localStorage.clear();
  resetMedia();
});

// A test does not go on with what was pressed in the one before.
afterEach(() => {
  window.dispatchEvent(new Event("pointerdown"));
});
