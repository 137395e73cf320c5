import { act, fireEvent, render, screen, within } from "@testing-library/react";
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
const region = () => screen.getByRole("region", { name: "Notifications" });
const shown = () => [...region().querySelectorAll("[data-toast]")].map((box) => box.textContent);
const boxOf = (text: string) => screen.getByText(text).closest("[data-toast]") as HTMLElement;

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
    fireEvent.pointerEnter(region());
    wait(8000);
    expect(shown()).toEqual(["Saved"]);

    fireEvent.pointerLeave(region());
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

  it("is added to a live region that was there before, and interrupts for errors only", () => {
    expect(region()).toHaveAttribute("aria-live", "polite");
    act(() => void toast.progress("Exporting", { id: "export" }));
    expect(within(region()).queryByRole("alert")).toBeNull();
    const running = boxOf("Exporting");

    act(() => void toast.error("No room.", { id: "export" }));

    expect(screen.getByRole("alert")).toHaveTextContent("No room.");
    expect(running).not.toBeInTheDocument();
  });

  it("does not read out each step of what is running", () => {
    act(() => void toast.progress("Exporting", { detail: "3 of 10" }));

    expect(screen.getByText("3 of 10")).toHaveAttribute("aria-live", "off");
  });

  it("pauses while the focus is in it", () => {
    show("Saved");
    act(() => screen.getByRole("button", { name: "Dismiss" }).focus());
    wait(8000);
    expect(shown()).toEqual(["Saved"]);

    act(() => screen.getByRole("button", { name: "Dismiss" }).blur());
    wait(6000);

    expect(shown()).toEqual([]);
  });

  it("leaves those beside it their time where its button went with the focus", () => {
    show("Saved");
    show("Moved", { action: { label: "Undo", run: () => undefined } });
    const undo = screen.getByRole("button", { name: "Undo" });
    act(() => undo.focus());
    fireEvent.click(undo);
    wait(8000);

    expect(shown()).toEqual([]);
  });

  it("goes in its time where its button went with the focus by itself", () => {
    act(() => {
      toast.progress("Exporting", { id: "job-1", action: { label: "Stop", run: () => undefined } });
    });
    act(() => screen.getByRole("button", { name: "Stop" }).focus());
    show("Exported", { id: "job-1" });
    wait(8000);

    expect(shown()).toEqual([]);
  });

  it("stays while it has the focus, though the pointer leaves", () => {
    show("Saved");
    act(() => screen.getByRole("button", { name: "Dismiss" }).focus());
    fireEvent.pointerEnter(region());
    fireEvent.pointerLeave(region());
    wait(8000);

    expect(shown()).toEqual(["Saved"]);
  });

  it("lies above the bars at the window's foot and above the act, not above what is beside it", () => {
    const box = (left: number, top: number, right: number, bottom: number) =>
      ({ left, top, right, bottom, height: bottom - top }) as DOMRect;
    const stack = region();
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
