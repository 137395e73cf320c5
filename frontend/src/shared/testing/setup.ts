import "@testing-library/jest-dom";
import { configure } from "@testing-library/react";
import { toast } from "@/shared/ui/toast";
import { media, resetMedia } from "./media";

// Expected elements appear late on a busy machine, and no test measures speed.
configure({ asyncUtilTimeout: 10_000 });

// Browser APIs that jsdom lacks and our components use.
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

// The keys that one test pressed must not affect the next.
afterEach(() => {
  window.dispatchEvent(new Event("pointerdown"));
});
