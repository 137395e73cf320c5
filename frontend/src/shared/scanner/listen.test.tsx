import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { listenForWedge } from "./listen";
import { useScanner } from "./scans";
import { LONGEST_GAP } from "./wedgeReader";

let stopListening: () => void;
beforeEach(() => {
  jest.useFakeTimers();
  stopListening = listenForWedge();
});
afterEach(() => {
  stopListening();
  jest.useRealTimers();
});

function Taker({ onCode }: { onCode: (code: string) => boolean | undefined }) {
  useScanner(onCode);
  return null;
}

function Search({ commands = false }: { commands?: boolean }) {
  const [text, setText] = useState("30");
  return (
    <input
      aria-label="Search"
      data-keys={commands ? "commands" : undefined}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

/** What a browser does with a key that nobody takes, as far as jsdom does not do it itself. */
function press(key: string, at: number): boolean {
  const target = document.activeElement ?? document.body;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, "timeStamp", { value: at });
  let went = false;
  act(() => {
    went = target.dispatchEvent(event);
    if (went && target instanceof HTMLInputElement && key.length === 1) {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
      set?.call(target, target.value + key);
      target.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  return went;
}

function type(text: string, pace: number): boolean {
  let at = performance.now();
  for (const key of text) {
    press(key, at);
    at += pace;
  }
  return press("Enter", at);
}

function keysHeardIn(element: HTMLElement | Window) {
  const heard: string[] = [];
  element.addEventListener("keydown", (event) => heard.push((event as KeyboardEvent).key));
  return heard;
}

describe("listenForWedge", () => {
  it("hands a scan over and lets no command hear of it", () => {
    const onCode = jest.fn();
    render(<Taker onCode={onCode} />);
    const heard = keysHeardIn(document.body);
    expect(type("LOC:A-01", 5)).toBe(false);
    expect(onCode.mock.calls).toEqual([["A-01"]]);
    expect(heard).toEqual([]);
  });

  it("takes a scan out of the text field it was typed into, and keeps what was there", () => {
    const onCode = jest.fn();
    render(
      <>
        <Taker onCode={onCode} />
        <Search />
      </>,
    );
    const field = screen.getByLabelText<HTMLInputElement>("Search");
    field.focus();
    expect(type("LOC:A-01", 5)).toBe(false);
    expect(onCode.mock.calls).toEqual([["A-01"]]);
    expect(field.value).toBe("30");
  });

  it("leaves a person's typing of the very same text alone", () => {
    const onCode = jest.fn();
    render(
      <>
        <Taker onCode={onCode} />
        <Search />
      </>,
    );
    const field = screen.getByLabelText<HTMLInputElement>("Search");
    field.focus();
    expect(type("LOC:A-01", 70)).toBe(true);
    expect(onCode).not.toHaveBeenCalled();
    expect(field.value).toBe("30LOC:A-01");
  });

  it("gives a letter back to the page's commands after an instant", () => {
    const heard = keysHeardIn(document.body);
    press("l", 0);
    expect(heard).toEqual([]);
    jest.advanceTimersByTime(LONGEST_GAP + 20);
    expect(heard).toEqual(["l"]);
  });

  it("gives back letters in their order when the next one shows that a person types", () => {
    const heard = keysHeardIn(document.body);
    press("l", 0);
    press("o", 20);
    press("g", 40);
    expect(heard).toEqual(["l", "o", "g"]);
  });

  it("takes a scan whole in a field whose keys are commands", () => {
    const onCode = jest.fn();
    render(
      <>
        <Taker onCode={onCode} />
        <Search commands />
      </>,
    );
    const field = screen.getByLabelText<HTMLInputElement>("Search");
    field.focus();
    const heard = keysHeardIn(field);
    type("LOC:A-01", 5);
    expect(onCode.mock.calls).toEqual([["A-01"]]);
    expect(heard).toEqual([]);
  });

  it("types what it gives back into a field whose keys are commands", () => {
    render(<Search commands />);
    const field = screen.getByLabelText<HTMLInputElement>("Search");
    field.focus();
    press("l", 0);
    press("x", 30);
    expect(field.value).toBe("30lx");
  });

  it.each(["dark blue", "blue", "locker", "tray"])(
    "types all of %s into the field that the letter before it opened",
    (text) => {
      render(<Search />);
      const field = screen.getByLabelText<HTMLInputElement>("Search");
      const commands: string[] = [];
      const onKey = (event: KeyboardEvent) => {
        if (event.target === field) return;
        commands.push(event.key);
        if (event.key !== "c") return;
        event.preventDefault();
        field.focus();
      };
      document.body.addEventListener("keydown", onKey);
      field.blur();

      [...`c${text}`].forEach((key, index) => {
        press(key, index * 10);
      });
      act(() => jest.advanceTimersByTime(LONGEST_GAP + 20));
      document.body.removeEventListener("keydown", onKey);

      expect(commands).toEqual(["c"]);
      expect(field.value).toBe(`30${text}`);
    },
  );

  it("hears nothing in keys with Ctrl or Alt", () => {
    const onCode = jest.fn();
    render(<Taker onCode={onCode} />);
    press("L", 0);
    const paste = new KeyboardEvent("keydown", { key: "v", ctrlKey: true, bubbles: true });
    document.body.dispatchEvent(paste);
    press("O", 5);
    expect(type("C:A-01", 5)).toBe(true);
    expect(onCode).not.toHaveBeenCalled();
  });
});

describe("useScanner", () => {
  it("asks the one mounted last first, and goes on where it declines", () => {
    const page = jest.fn();
    const dialog = jest.fn((code: string) => code !== "A-02" && undefined);
    render(<Taker onCode={page} />);
    const above = render(<Taker onCode={dialog} />);
    type("LOC:A-01", 5);
    type("LOC:A-02", 5);
    above.unmount();
    type("LOC:A-03", 5);
    expect(dialog.mock.calls).toEqual([["A-01"], ["A-02"]]);
    expect(page.mock.calls).toEqual([["A-02"], ["A-03"]]);
  });
});
