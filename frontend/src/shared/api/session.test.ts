import { onSignInAsked } from "@/shared/lib/person";
import { answer, installServer, json, offline, ok, refusal, sent } from "@/shared/testing/server";
import { api } from "./client";
import { refreshTokens } from "./refresh";
import { clearTokens, getToken, setToken, setTokens, usableAccessToken } from "./tokens";

const EXPIRED = "Access token expired";
const expired = () => refusal(401, "TOKEN_EXPIRED", EXPIRED);
const renewed = (number = 2) =>
  ok([{ accessToken: `access-${number}`, refreshToken: `refresh-${number}` }]);

/** A token with an expiry time, in seconds since 1970. */
const tokenUntil = (exp: number) => `head.${btoa(JSON.stringify({ exp }))}.sign`;

beforeEach(() => {
  installServer();
  jest.useFakeTimers();
  setTokens({ accessToken: "access-1", refreshToken: "refresh-1" });
});
afterEach(() => jest.useRealTimers());

describe("token storage", () => {
  it("reads and writes the two types and no other", () => {
    setToken("accessToken", "abc");

    expect(localStorage.getItem("accessToken")).toBe("abc");
    expect(getToken("refreshToken")).toBe("refresh-1");
    expect(() => getToken("idToken" as "accessToken")).toThrow("idToken");
    expect(() => setToken("idToken" as "accessToken", "x")).toThrow("idToken");
  });

  it.each(["", "  ", null, 5])("refuses to store %p", (token) => {
    expect(() => setToken("accessToken", token as string)).toThrow("Invalid access token format");
    expect(getToken("accessToken")).toBe("access-1");
  });

  it("counts a stored blank as none, and one past its exp as unusable", () => {
    const now = 1_000_000;
    localStorage.setItem("accessToken", "   ");
    expect(usableAccessToken(now)).toBeNull();
    setToken("accessToken", tokenUntil(1001));
    expect(usableAccessToken(now)).not.toBeNull();
    setToken("accessToken", tokenUntil(999));
    expect(usableAccessToken(now)).toBeNull();
  });
});

describe("a clock that differs from the server's", () => {
  const now = 1_000_000_000;
  const stored = (issued: number) => {
    const accessToken = `head.${btoa(JSON.stringify({ iat: issued, exp: issued + 1200 }))}.sign`;
    setTokens({ accessToken, refreshToken: "refresh-1" });
  };
  beforeEach(() => jest.setSystemTime(now));
  afterEach(clearTokens);

  it.each([
    ["fast", 1_000_000 - 3600],
    ["slow", 1_000_000 + 3600],
  ])("that is %s by an hour expires tokens as late as any", (_, issued) => {
    stored(issued);

    expect(usableAccessToken(now + 1_199_000)).not.toBeNull();
    expect(usableAccessToken(now + 1_200_000)).toBeNull();
  });

  it("is compared anew with every pair of tokens", () => {
    stored(1_000_000 - 3600);
    stored(1_000_000);

    expect(usableAccessToken(now + 1_200_000)).toBeNull();
  });
});

describe("a request without a usable access token", () => {
  it("refreshes first and carries the new token", async () => {
    localStorage.removeItem("accessToken");
    answer("POST /api/users/token-refresh", () => renewed());
    answer("GET /api/batches", () => ok());

    await api.get("batches");

    expect(sent().map(({ path }) => path)).toEqual(["/api/users/token-refresh", "/api/batches"]);
    expect(sent("GET /api/batches")[0]?.headers.Authorization).toBe("Bearer access-2");
    const [refresh] = sent("POST /api/users/token-refresh");
    expect(refresh?.body).toEqual({ refreshToken: "refresh-1" });
    expect(refresh?.headers.Authorization).toBeUndefined();
  });

  it("goes on without one when that refresh fails", async () => {
    localStorage.removeItem("accessToken");
    answer("POST /api/users/token-refresh", () => json(200, { success: false }));
    answer("GET /api/batches", () => ok());
    const call = api.get("batches");
    await jest.advanceTimersByTimeAsync(3000);
    await call;

    expect(sent("GET /api/batches")).toHaveLength(1);
    expect(sent("GET /api/batches")[0]?.headers.Authorization).toBeUndefined();
  });

  it("refreshes once more when the line is back before the request goes out", async () => {
    localStorage.removeItem("accessToken");
    answer("POST /api/users/token-refresh", (_, count) => (count < 3 ? offline() : renewed()));
    answer("GET /api/batches", ({ headers }) =>
      headers.Authorization
        ? ok([1])
        : refusal(401, "NOT_AUTHENTICATED", "Authentication credentials were not provided."),
    );
    const call = api.get("batches");
    await jest.advanceTimersByTimeAsync(3000);

    expect((await call).data).toEqual([1]);
    expect(getToken("accessToken")).toBe("access-2");
  });

  it("fails as a connection does while the tokens cannot be asked for", async () => {
    localStorage.removeItem("accessToken");
    answer("POST /api/users/token-refresh", offline);
    answer("GET /api/batches", () => refusal(401, "NOT_AUTHENTICATED", "No credentials."));
    const call = api.get("batches").catch((error) => error);
    await jest.advanceTimersByTimeAsync(6000);

    expect(await call).toMatchObject({ code: "CONNECTION_ERROR" });
  });

  it("shares one refresh with all that ask at the time", async () => {
    localStorage.removeItem("accessToken");
    answer("POST /api/users/token-refresh", async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return renewed();
    });
    answer("GET /api/batches", () => ok());
    answer("GET /api/sources", () => ok());

    const calls = Promise.all([api.get("batches"), api.get("sources"), api.get("batches")]);
    await jest.advanceTimersByTimeAsync(2000);
    await calls;

    expect(sent("POST /api/users/token-refresh")).toHaveLength(1);
    const tokens = sent()
      .slice(1)
      .map(({ headers }) => headers.Authorization);
    expect(tokens).toEqual(Array(3).fill("Bearer access-2"));
  });
});

describe("Access token expired", () => {
  it("refreshes and sends the request once more", async () => {
    answer("GET /api/batches", (_, count) => (count === 0 ? expired() : ok([1])));
    answer("POST /api/users/token-refresh", () => renewed());

    const result = await api.get("batches");

    expect(result.data).toEqual([1]);
    expect(sent("GET /api/batches").map(({ headers }) => headers.Authorization)).toEqual([
      "Bearer access-1",
      "Bearer access-2",
    ]);
  });

  it("does so once: the second time the error is thrown", async () => {
    answer("GET /api/batches", expired);
    answer("POST /api/users/token-refresh", () => renewed());

    await expect(api.get("batches")).rejects.toThrow(EXPIRED);

    expect(sent("GET /api/batches")).toHaveLength(2);
    expect(sent("POST /api/users/token-refresh")).toHaveLength(1);
  });

  it("clears the tokens when the refresh says the same, and throws the request's error", async () => {
    answer("GET /api/batches", expired);
    answer("POST /api/users/token-refresh", expired);
    const call = api.get("batches").catch((error) => error);
    await jest.advanceTimersByTimeAsync(3000);

    expect(await call).toMatchObject({ code: "TOKEN_EXPIRED", message: EXPIRED, status: 401 });
    expect(localStorage.getItem("accessToken")).toBeNull();
    expect(localStorage.getItem("refreshToken")).toBeNull();
  });

  it("leaves the tokens when the refresh fails otherwise", async () => {
    answer("GET /api/batches", expired);
    answer("POST /api/users/token-refresh", () => json(200, { success: false }));
    const call = api.get("batches").catch((error) => error);
    await jest.advanceTimersByTimeAsync(3000);

    expect(await call).toMatchObject({ message: EXPIRED });
    expect(getToken("refreshToken")).toBe("refresh-1");
  });
});

describe("a session that has ended", () => {
  const ended = () =>
    refusal(401, "NOT_AUTHENTICATED", "This session has ended. Please sign in again.");
  const asked = jest.fn();
  beforeEach(() => {
    asked.mockClear();
    onSignInAsked(asked);
  });
  afterEach(() => onSignInAsked(() => undefined));

  it("is asked for at once: another tab's new tokens send the request once more", async () => {
    answer("GET /api/batches", (_, count) => (count === 0 ? ended() : ok([1])));
    answer("POST /api/users/token-refresh", () => renewed());

    expect((await api.get("batches")).data).toEqual([1]);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each(["with its token", "without a usable token"])("leads to signing in, %s", async (how) => {
    if (how !== "with its token") localStorage.removeItem("accessToken");
    answer("GET /api/batches", ended);
    answer("POST /api/users/token-refresh", ended);
    const call = api.get("batches").catch((error) => error);
    await jest.advanceTimersByTimeAsync(3000);

    expect(await call).toMatchObject({
      status: 401,
      message: expect.stringContaining("session has ended"),
    });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(sent("GET /api/batches")).toHaveLength(1);
  });

  it("is not taken for over while the server cannot be asked", async () => {
    answer("GET /api/batches", ended);
    answer("POST /api/users/token-refresh", offline);
    const call = api.get("batches").catch((error) => error);
    await jest.advanceTimersByTimeAsync(3000);

    expect(await call).toMatchObject({ status: 401 });
    expect(asked).not.toHaveBeenCalled();
  });
});

describe("refreshTokens", () => {
  it("stores both new tokens", async () => {
    answer("POST /api/users/token-refresh", () => renewed(7));

    await refreshTokens();

    expect([getToken("accessToken"), getToken("refreshToken")]).toEqual(["access-7", "refresh-7"]);
  });

  it("sends nothing without a refresh token", async () => {
    localStorage.removeItem("refreshToken");

    await expect(refreshTokens()).rejects.toThrow(new Error("No refresh token available"));

    expect(sent()).toEqual([]);
  });

  it("tries three times, one and two seconds apart, and says that it failed", async () => {
    answer("POST /api/users/token-refresh", () => json(200, { success: false }));
    const call = refreshTokens().catch((error) => error);
    await jest.advanceTimersByTimeAsync(60_000);

    const times = sent().map(({ at }) => at);
    expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 1000, 3000]);
    expect(await call).toEqual(new Error("Token refresh failed"));
  });

  it("does not sign in again who signed out meanwhile", async () => {
    answer("POST /api/users/token-refresh", async () => {
      localStorage.removeItem("refreshToken");
      return renewed();
    });

    await refreshTokens();

    expect(getToken("refreshToken")).toBeNull();
  });

  it("leaves the tokens of who signed in meanwhile", async () => {
    answer("POST /api/users/token-refresh", async () => {
      setTokens({ accessToken: "somebody-else", refreshToken: "somebody-else" });
      return renewed();
    });

    await refreshTokens();

    expect(getToken("accessToken")).toBe("somebody-else");
  });

  it("takes what another tab has just fetched while this one waited for the lock", async () => {
    const locks = {
      request: (_name: string, work: () => unknown) => {
        setTokens({ accessToken: "access-9", refreshToken: "refresh-9" });
        return work();
      },
    };
    Object.defineProperty(navigator, "locks", { configurable: true, value: locks });

    await refreshTokens();

    expect(sent()).toEqual([]);
    expect(getToken("accessToken")).toBe("access-9");
    Object.defineProperty(navigator, "locks", { configurable: true, value: undefined });
  });
});
