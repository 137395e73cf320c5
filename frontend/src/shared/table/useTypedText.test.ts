import { act, renderHook } from "@testing-library/react";
import { useTypedText } from "./useTypedText";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A field whose text is stored when the test says so. */
function field() {
  const hand = jest.fn();
  const { result, rerender } = renderHook(({ value }) => useTypedText(value, hand), {
    initialProps: { value: "" },
  });
  return {
    hand,
    text: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    rest: () => act(() => jest.advanceTimersByTime(400)),
    store: (value: string) => rerender({ value }),
  };
}

describe("a typed text", () => {
  it("keeps the letter that was typed before the text before it was stored", () => {
    const search = field();
    search.type("zzz");
    search.rest();

    search.type("zzzL");
    search.store("zzz");
    expect(search.text()).toBe("zzzL");
    search.rest();

    expect(search.hand.mock.calls).toEqual([["zzz"], ["zzzL"]]);
  });

  it("follows what is stored by others, also what it was before", () => {
    const search = field();
    search.type("zzz");
    search.rest();
    search.store("zzz");

    search.store("");
    expect(search.text()).toBe("");
    search.store("zzz");

    expect(search.text()).toBe("zzz");
    expect(search.hand).toHaveBeenCalledTimes(1);
  });
});
