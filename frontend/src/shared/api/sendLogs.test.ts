import { flushLog, log } from "@/shared/lib/log";
import { answer, installServer, offline, ok, sent } from "@/shared/testing/server";
import { sendLogsToServer } from "./sendLogs";

const POST = "POST /api/logs";

beforeEach(() => {
  jest.useFakeTimers();
  installServer();
  sendLogsToServer();
});
afterEach(() => {
  flushLog();
  jest.useRealTimers();
});

describe("the log on its way", () => {
  it("is posted a window at a time, with the token there is", () => {
    answer(POST, () => ok());
    localStorage.accessToken = "access-1";

    log.warn("slow");
    log.warn("slow");
    jest.advanceTimersByTime(1000);

    expect(sent(POST)).toHaveLength(1);
    expect(sent(POST)[0]).toMatchObject({
      headers: { Authorization: "Bearer access-1" },
      body: { entries: [{ level: "warn", message: "slow", count: 2, page: "/" }] },
    });
  });

  it("stops after twenty posts a minute, and does not tell of its own failures", async () => {
    answer(POST, offline);
    jest.advanceTimersByTime(60_000);

    for (let time = 0; time < 30; time += 1) {
      log.error(`problem ${time}`);
      await jest.advanceTimersByTimeAsync(1000);
    }

    expect(sent(POST)).toHaveLength(20);
  });
});
