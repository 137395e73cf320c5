import { createEvent, fireEvent } from "@testing-library/react";

/** Clicks at a fixed time, however slow the machine is. */
export function clickAt(button: Element, timeStamp: number, init?: MouseEventInit): void {
  const event = createEvent.click(button, init);
  Object.defineProperty(event, "timeStamp", { value: timeStamp });
  fireEvent(button, event);
}
