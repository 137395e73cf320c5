import { answer, installServer, json, ok, refusal, sent } from "@/shared/testing/server";
import { login, register } from "./signIn";

beforeEach(installServer);

const credentials = { email_address: "ann@example.com", password: "secret" };
const form = { ...credentials, name: "Ann" };
const tokens = { accessToken: "a", refreshToken: "r" };

describe("login", () => {
  const route = "POST /api/users/login";
  const failing = async (reply: () => Response | Promise<Response>) => {
    answer(route, reply);
    return login(credentials).catch((error: Error) => error.message);
  };

  it("sends e-mail address and password and gives the user without the tokens", async () => {
    answer(route, () => ok([{ id: 1, name: "Ann", ...tokens }]));

    const result = await login(credentials);

    expect(sent()[0]?.body).toEqual(credentials);
    expect(result).toEqual({ user: { id: 1, name: "Ann" }, tokens });
  });

  it("tells a network failure with the host and the reason", async () => {
    expect(await failing(() => Promise.reject(new TypeError("Failed to fetch")))).toBe(
      "Network error: Cannot connect to http://localhost. Failed to fetch",
    );
    expect(sent()).toHaveLength(1);
  });

  it("tells the status where the answer is no envelope", async () => {
    const reply = new Response("", { status: 503, statusText: "Service Unavailable" });

    expect(await failing(() => reply)).toBe("Server error: 503 Service Unavailable");
  });

  it("tells the envelope's message of a refusal with its status", async () => {
    expect(await failing(() => refusal(401, "NOT_AUTHENTICATED", "Wrong password."))).toBe(
      "Wrong password.",
    );
  });

  it.each<[string, unknown, string]>([
    [
      "the server's error message",
      { meta: { error: { message: "Bad pair" } }, message: "m" },
      "Bad pair",
    ],
    ["else its message", { message: "m1" }, "m1"],
    ["else that it failed", {}, "Login failed"],
  ])("tells of an unsuccessful answer %s", async (_name, body, message) => {
    expect(await failing(() => json(200, { success: false, ...(body as object) }))).toBe(message);
  });

  it("tells that an answer cannot be read", async () => {
    expect(await failing(() => new Response("<html>"))).toBe(
      "Server returned invalid response format",
    );
  });

  it.each([undefined, {}, []])("wants data to be a list with an element, not %p", async (data) => {
    expect(await failing(() => json(200, { success: true, data }))).toBe(
      "Invalid login response format",
    );
  });

  it.each([{ accessToken: "a" }, { refreshToken: "r" }, { accessToken: " ", refreshToken: "r" }])(
    "wants both tokens, not %p",
    async (row) => {
      expect(await failing(() => ok([{ id: 1, ...row }]))).toBe(
        "Invalid login response - missing tokens",
      );
    },
  );
});

describe("register", () => {
  const route = "POST /api/users/register";
  const failing = async (reply: () => Response) => {
    answer(route, reply);
    return register(form).catch((error: Error) => error.message);
  };

  it("sends the form and gives the user and the tokens", async () => {
    answer(route, () => ok([{ user: { id: 1, name: "Ann" }, ...tokens }]));

    expect(await register(form)).toEqual({ user: { id: 1, name: "Ann" }, tokens });
    expect(sent()[0]?.body).toEqual(form);
  });

  it("tells what went wrong in the specification's words", async () => {
    expect(await failing(() => json(200, { success: false }))).toBe("Registration failed");
    expect(await failing(() => ok([]))).toBe("Invalid registration response format");
    expect(await failing(() => ok([{ user: { id: 1 } }]))).toBe(
      "Invalid registration response - missing tokens",
    );
    expect(await failing(() => ok([tokens]))).toBe("Invalid registration response format");
  });

  it("carries messages by field", async () => {
    const fields = { email_address: ["there is already an account with this address"] };
    answer(route, () => refusal(400, "VALIDATION_ERROR", "Not valid.", { fields }));

    await expect(register(form)).rejects.toMatchObject({ fields });
  });
});
