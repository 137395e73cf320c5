import { act, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { areKeysKept, keepKeysFor, listenToKeys, loseKeys } from "./keyLine";
import { type Press, useWaitingKeys } from "./presses";
import { useScanner } from "./scans";
import { LONGEST_GAP } from "./wedgeReader";

let stopListening: () => void;
beforeEach(() => {
  jest.useFakeTimers();
  stopListening = listenToKeys();
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

/** The browser's default action for a key, where jsdom does not implement it. */
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

/** A page with commands of keys, at once or after they waited. */
function Commands({ onKey }: { onKey: (press: Press) => void }) {
  useWaitingKeys(onKey);
  useEffect(() => {
    document.body.addEventListener("keydown", onKey);
    return () => document.body.removeEventListener("keydown", onKey);
  }, [onKey]);
  return null;
}

function keysHeard() {
  const heard: string[] = [];
  render(<Commands onKey={({ key }) => heard.push(key)} />);
  return heard;
}

describe("listenToKeys", () => {
  it("hands a scan over and lets no command hear of it", () => {
    const onCode = jest.fn();
    render(<Taker onCode={onCode} />);
    const heard = keysHeard();
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

  it("lets a menu have its letters at once", () => {
    render(<div role="menu" tabIndex={-1} />);
    screen.getByRole("menu").focus();
    const heard = keysHeard();
    press("l", 0);
    expect(heard).toEqual(["l"]);
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
    const heard = keysHeard();
    press("l", 0);
    expect(heard).toEqual([]);
    jest.advanceTimersByTime(LONGEST_GAP + 20);
    expect(heard).toEqual(["l"]);
  });

  it("gives back letters in their order when the next one shows that a person types", () => {
    const heard = keysHeard();
    press("l", 0);
    press("o", 20);
    press("g", 40);
    jest.runOnlyPendingTimers();
    jest.runOnlyPendingTimers();
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
    const heard = keysHeard();
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
      const onKey = (event: Press) => {
        if (event.target === field) return;
        commands.push(event.key);
        if (event.key !== "c") return;
        event.preventDefault();
        field.focus();
      };
      render(<Commands onKey={onKey} />);
      field.blur();

      [...`c${text}`].forEach((key, index) => {
        press(key, index * 10);
      });
      act(() => jest.advanceTimersByTime(LONGEST_GAP + 20));

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

describe("keepKeysFor", () => {
  const lost = jest.fn();
  let commands: string[];
  const onKey = ({ key, target }: Press) => {
    if (!(target instanceof HTMLInputElement)) commands.push(key);
    if (key === "c") keepKeysFor((focused) => focused === screen.queryByLabelText("Search"), lost);
  };
  beforeEach(() => {
    lost.mockClear();
    commands = [];
    render(<Commands onKey={onKey} />);
  });
  const typeFast = (text: string) => {
    for (const [index, key] of [...text].entries()) press(key, index * 10);
  };
  const wait = (ms: number) => act(() => jest.advanceTimersByTime(ms));

  it.each(["blue", "dark azure", "green", "lime", "tan", "trans-clear", "locker"])(
    "keeps all of %s for a field that comes late, in its order",
    (text) => {
      typeFast(`c${text}`);
      wait(500);
      render(<Search />);
      act(() => screen.getByLabelText("Search").focus());
      wait(500);

      expect(screen.getByLabelText("Search")).toHaveValue(`30${text}`);
      expect(commands).toEqual(["c"]);
      expect(areKeysKept()).toBe(false);
    },
  );

  it("lets nothing overtake what was kept while it is passed on", () => {
    typeFast("cbl");
    render(<Search />);
    act(() => screen.getByLabelText("Search").focus());
    press("u", 100);
    wait(1);
    press("e", 110);
    press("t", 120);
    wait(500);

    expect(screen.getByLabelText("Search")).toHaveValue("30bluet");
  });

  it("lets nothing overtake what may still become a scan", () => {
    typeFast("ct");
    render(<Search />);
    act(() => screen.getByLabelText("Search").focus());
    wait(1);
    press("r", 20);
    press("a", 30);
    wait(500);

    expect(screen.getByLabelText("Search")).toHaveValue("30tra");
  });

  it("does not give it to another field that gets the focus", () => {
    render(<input aria-label="Number" />);
    typeFast("cblue");
    act(() => screen.getByLabelText("Number").focus());
    wait(500);

    expect(screen.getByLabelText("Number")).toHaveValue("");
    loseKeys();
    expect(lost.mock.calls).toEqual([["blue"]]);
    wait(500);
    expect(commands).toEqual(["c"]);
  });

  it("loses no later key when its field has been drawn anew", () => {
    const first = render(<Search key="first" />);
    press("c", 0);
    act(() => screen.getByLabelText("Search").focus());
    wait(500);
    first.unmount();
    render(<Search commands />);
    act(() => screen.getByLabelText("Search").focus());
    for (const [index, key] of [..."black"].entries()) {
      press(key, 1_000 + index * 100);
      wait(100);
    }

    expect(screen.getByLabelText("Search")).toHaveValue("30black");
  });

  it("gives up on Escape, which is for the page", () => {
    typeFast("cblue");
    press("Escape", 200);
    wait(500);

    expect(lost.mock.calls).toEqual([[""]]);
    expect(commands).toEqual(["c", "Escape"]);
  });

  it("gives up with another command, and says what was lost", () => {
    typeFast("cred");
    press("F2", 200);

    expect(lost.mock.calls).toEqual([["red"]]);
    expect(commands).toEqual(["c", "F2"]);
  });

  it("hears a scan meanwhile", () => {
    const onCode = jest.fn();
    render(<Taker onCode={onCode} />);
    typeFast("cred");
    wait(200);
    type("LOC:A-01", 5);

    expect(onCode.mock.calls).toEqual([["A-01"]]);
    loseKeys();
    expect(lost.mock.calls).toEqual([["red"]]);
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
