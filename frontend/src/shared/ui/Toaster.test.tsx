import { act, fireEvent, render, screen } from "@testing-library/react";
import { Toaster } from "./Toaster";
import { toast } from "./toast";

beforeEach(() => {
  jest.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => jest.useRealTimers());

const show = (text: string, options?: Parameters<typeof toast.success>[1]) =>
  act(() => toast.success(text, options));
/** In steps, so that one timer can start the next. */
const wait = (ms: number) => {
  for (let passed = 0; passed < ms; passed += 100) act(() => jest.advanceTimersByTime(100));
};
const shown = () => screen.queryAllByRole("status").map((box) => box.textContent);
const boxOf = (text: string) => screen.getByText(text).closest("[role=status]") as HTMLElement;

describe("a toast", () => {
  it("closes by itself after 5000 ms", () => {
    show("Saved");

    wait(4500);
    expect(shown()).toEqual(["Saved"]);
    wait(1000);

    expect(shown()).toEqual([]);
  });

  it("tells why its act could not be done", async () => {
    const run = () => Promise.reject(new Error("These rows were changed since."));
    show("Moved", { action: { label: "Undo", run } });

    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Undo" })));

    expect(screen.getByRole("alert")).toHaveTextContent("These rows were changed since.");
  });

  it("does not come back for a line more once a person closed it", () => {
    show("The file is ready", { id: "job-1" });
    fireEvent.click(screen.getByRole("button", { name: "Dismiss" }));

    act(() => toast.addLine("job-1", "Next: upload it.", 15_000));
    wait(1000);

    expect(shown()).toEqual([]);
  });

  it("is above the older ones", () => {
    show("First");
    wait(1000);
    show("Second");

    expect(shown()).toEqual(["Second", "First"]);
  });

  it("pauses while it is hovered", () => {
    show("Saved");
    fireEvent.pointerEnter(screen.getByRole("region", { name: "Notifications" }));
    wait(8000);
    expect(shown()).toEqual(["Saved"]);

    fireEvent.pointerLeave(screen.getByRole("region", { name: "Notifications" }));
    wait(6000);

    expect(shown()).toEqual([]);
  });

  it("pauses while the window has no focus, hovered or not", () => {
    show("Saved");
    act(() => void window.dispatchEvent(new Event("blur")));
    wait(8000);
    expect(shown()).toEqual(["Saved"]);

    act(() => void window.dispatchEvent(new Event("focus")));
    wait(6000);

    expect(shown()).toEqual([]);
  });

  it("is updated by its id and removed by it", () => {
    act(() => void toast.progress("Exporting", { id: "export" }));
    wait(20_000);
    expect(shown()).toEqual(["Exporting"]);

    show("Exported", { id: "export" });
    expect(shown()).toEqual(["Exported"]);

    act(() => toast.remove("export"));
    wait(1000);
    expect(shown()).toEqual([]);
  });

  it("is dismissed by dragging it 80 percent of its width, and comes back before that", () => {
    const onDismiss = jest.fn();
    show("Saved", { onDismiss });
    const box = boxOf("Saved");
    box.getBoundingClientRect = () => ({ width: 300 }) as DOMRect;
    const drag = (to: number) => {
      fireEvent.pointerDown(box, { clientX: 0 });
      fireEvent.pointerMove(box, { clientX: to });
      fireEvent.pointerUp(box, { clientX: to });
    };

    drag(210);
    wait(1000);
    expect(shown()).toEqual(["Saved"]);
    expect(box.style.transform).toBe("");

    drag(255);
    wait(1000);
    expect(shown()).toEqual([]);
    expect(onDismiss).toHaveBeenCalledTimes(1);
  });

  it("interrupts a screen reader for errors only", () => {
    act(() => void toast.error("No room."));

    expect(screen.getByRole("alert")).toHaveTextContent("No room.");
  });

  it("lies above the bars at the window's foot and above the act, not above what is beside it", () => {
    const box = (left: number, top: number, right: number, bottom: number) =>
      ({ left, top, right, bottom, height: bottom - top }) as DOMRect;
    const stack = screen.getByRole("region", { name: "Notifications" });
    const place = (name: string, value: string, at: DOMRect) => {
      const bar = document.createElement("div");
      bar.setAttribute(name, value);
      bar.getBoundingClientRect = () => at;
      stack.after(bar);
    };
    stack.getBoundingClientRect = () => box(12, 0, 300, 60);
    place("data-foot", "", box(0, 700, 1024, 768));
    place("data-primary", "true", box(20, 640, 200, 680));
    place("data-primary", "true", box(400, 500, 600, 690));

    show("Saved");

    expect(stack.style.bottom).toBe(`${768 - 640 + 12}px`);
  });

  it("is not shown below three newer ones, and comes forward as they close", () => {
    for (const text of ["First", "Second", "Third"]) show(text);
    show("Fourth", { id: "fourth" });
    expect(shown()).toEqual(["Fourth", "Third", "Second"]);

    act(() => toast.remove("fourth"));
    wait(300);

    expect(shown()).toEqual(["Third", "Second", "First"]);
  });
});
