import { act, renderHook } from "@testing-library/react";
import { answer, installServer, json, never, offline, ok, sent } from "@/shared/testing/server";
import { login } from "./entry";
import { currentUser, logout } from "./session";
import { useRefreshCycle } from "./useRefreshCycle";

const REFRESH = "POST /api/users/token-refresh";
const credentials = { email_address: "ann@example.com", password: "secret" };
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  installServer();
  answer("POST /api/users/logout", () => ok());
  logout();
  installServer();
  answer("POST /api/users/logout", () => ok());
  answer("POST /api/users/login", () => ok([{ id: 1, accessToken: "a-0", refreshToken: "r-0" }]));
  answer(REFRESH, (_, count) => {
    const number = count + 1;
    return ok([{ accessToken: `a-${number}`, refreshToken: `r-${number}` }]);
  });
});
afterEach(() => jest.useRealTimers());

async function signedIn() {
  renderHook(useRefreshCycle);
  await act(() => login(credentials));
}

describe("the refresh cycle", () => {
  it("renews the tokens every 900000 ms, each time with the newest", async () => {
    await signedIn();

    await wait(899_999);
    expect(sent(REFRESH)).toHaveLength(0);
    await wait(1);
    await wait(900_000);

    expect(sent(REFRESH).map(({ body }) => body)).toEqual([
      { refreshToken: "r-0" },
      { refreshToken: "r-1" },
    ]);
    expect(localStorage.accessToken).toBe("a-2");
  });

  it("stops at logout", async () => {
    await signedIn();
    act(logout);

    await wait(1_800_000);

    expect(sent(REFRESH)).toHaveLength(0);
  });

  it("does not run while a login is loading", async () => {
    answer("POST /api/users/login", never);
    renderHook(useRefreshCycle);
    act(() => void login(credentials).catch(() => undefined));

    await wait(29_000);
    await wait(900_000);

    expect(sent(REFRESH)).toHaveLength(0);
  });

  it("that fails logs out, with the session ended, not signed out", async () => {
    answer(REFRESH, () => json(200, { success: false }));
    await signedIn();

    await wait(900_000);
    await wait(3000);

    expect(sent(REFRESH)).toHaveLength(3);
    expect(currentUser()).toBeNull();
    expect(localStorage.accessToken).toBeUndefined();
    expect(localStorage.refreshToken).toBeUndefined();
  });

  it.each([
    ["without a connection", offline],
    ["with a server that is down", () => json(503, { success: false })],
    ["answered by something else", () => new Response("<html>", { status: 502 })],
  ])("that fails %s signs nobody out", async (_, reply) => {
    answer(REFRESH, reply);
    await signedIn();

    await wait(900_000);
    await wait(3000);

    expect(sent(REFRESH)).toHaveLength(3);
    expect(currentUser()).not.toBeNull();
    expect(localStorage.refreshToken).toBe("r-0");
  });
});
