import { flushLog, type LogEntry, log, setLogSink } from "./log";

let emitted: LogEntry[] = [];

beforeEach(() => {
  jest.useFakeTimers();
  flushLog();
  emitted = [];
  setLogSink((entries) => emitted.push(...entries));
});
afterEach(() => {
  flushLog();
  jest.useRealTimers();
});

describe("log", () => {
  it("cuts a message at 1000 characters", () => {
    const text = "abcdefghij".repeat(500);

    log.error(text);
    jest.advanceTimersByTime(1000);

    expect(emitted[0]?.message).toBe(text.slice(0, 1000));
  });

  it("counts equal messages by level", () => {
    for (let time = 0; time < 5; time += 1) log.error("boom");
    for (let time = 0; time < 3; time += 1) log.warn("boom");
    jest.advanceTimersByTime(1000);

    expect(emitted).toMatchObject([
      { level: "error", message: "boom", count: 5, page: "/" },
      { level: "warn", message: "boom", count: 3, page: "/" },
    ]);
  });

  it("groups them in windows of one second", () => {
    log.error("boom");
    jest.advanceTimersByTime(900);
    log.error("boom");
    jest.advanceTimersByTime(200);
    log.error("boom");
    jest.advanceTimersByTime(1000);

    expect(emitted.map(({ count }) => count)).toEqual([2, 1]);
  });

  it("hides tokens and passwords", () => {
    log.error('Bearer abc.def eyJhbGciOi.eyJzdWIi.c2ln {"password":"hunter2","accessToken":"x1"}');
    jest.advanceTimersByTime(1000);

    expect(emitted[0]?.message).not.toMatch(/abc\.def|eyJ|hunter2|x1/);
  });
});
