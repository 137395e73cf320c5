import { act, renderHook } from "@testing-library/react";
import { ROWS_A_FRAME, useRowPace } from "./useRowPace";

const ids = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(first + index));
const waiting = (count: number) => Array.from({ length: count }, () => null);

function renderPace(rows: readonly (string | null)[]) {
  return renderHook((view) => useRowPace(view), {
    initialProps: { list: "by name", stale: false, rows, focused: null as string | null },
  });
}
const frame = () => act(() => jest.advanceTimersByTime(16));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe("useRowPace", () => {
  it("draws the first sight of a list at once", () => {
    const { result } = renderPace(ids(1, 30));

    expect(result.current.size).toBe(30);
  });

  it("draws what is scrolled into view a few rows a frame, from above", () => {
    const { result, rerender } = renderPace(ids(1, 30));

    rerender({ list: "by name", stale: false, rows: ids(500, 15), focused: null });

    expect([...result.current]).toEqual(ids(500, ROWS_A_FRAME));
    frame();
    expect(result.current.size).toBe(2 * ROWS_A_FRAME);
    frame();
    expect(result.current.size).toBe(15);
  });

  it("keeps what is drawn while a few new rows come into view", () => {
    const { result, rerender } = renderPace(ids(1, 30));

    rerender({ list: "by name", stale: false, rows: ids(4, 30), focused: null });

    expect([...result.current]).toEqual(ids(4, 30));
  });

  it("paces rows that are fetched after everything in view had flown by", () => {
    const { result, rerender } = renderPace(ids(1, 30));
    rerender({ list: "by name", stale: false, rows: waiting(30), focused: null });
    expect(result.current.size).toBe(0);

    rerender({ list: "by name", stale: false, rows: ids(900, 30), focused: null });

    expect(result.current.size).toBe(ROWS_A_FRAME);
  });

  it("draws another list at once, and the older rows before it", () => {
    const { result, rerender } = renderPace(ids(1, 30));

    rerender({ list: "by price", stale: true, rows: ids(1, 30), focused: null });
    expect(result.current.size).toBe(30);
    rerender({ list: "by price", stale: false, rows: ids(200, 30), focused: null });

    expect(result.current.size).toBe(30);
  });

  it("never lets the row with the focus wait", () => {
    const { result, rerender } = renderPace(ids(1, 30));

    rerender({ list: "by name", stale: false, rows: ids(500, 30), focused: "529" });

    expect(result.current.has("529")).toBe(true);
  });
});
