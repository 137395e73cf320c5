/** Browser APIs that jsdom lacks and our code uses. */
import "fake-indexeddb/auto";
import { media, resetMedia } from "./media";

window.matchMedia = media;
window.scrollTo = () => undefined;
URL.createObjectURL = () => "blob:file";
URL.revokeObjectURL = () => undefined;
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
  localStorage.clear();
  resetMedia();
});

// The keys that one test pressed must not affect the next.
afterEach(() => {
  window.dispatchEvent(new Event("pointerdown"));
});
