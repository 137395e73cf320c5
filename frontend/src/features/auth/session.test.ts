import { setSetting } from "@/shared/lib/localSettings";
import { onPersonBack, onPersonForgotten, PERSONAL } from "@/shared/lib/person";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { login, register } from "./entry";
import { currentUser, endSession, followOtherTabs, logout, onSession } from "./session";

const credentials = { email_address: "ann@example.com", password: "secret" };
const tokens = { accessToken: "access-1", refreshToken: "refresh-1" };
const ann = { id: 1, email_address: "ann@example.com", name: "Ann", is_staff: false };
const stored = () => ({ ...localStorage });

beforeEach(() => {
  installServer();
  answer("POST /api/users/logout", () => ok());
  logout();
  installServer();
  answer("POST /api/users/login", () => ok([{ ...ann, ...tokens }]));
  answer("POST /api/users/logout", () => ok());
});

describe("login", () => {
  it("stores both tokens and the user without them", async () => {
    await login(credentials);

    expect(stored()).toMatchObject({ ...tokens, user: JSON.stringify(ann) });
    expect(currentUser()).toEqual(ann);
  });

  it("is loading meanwhile, and is not sent twice", async () => {
    const loading: boolean[] = [];
    const stop = onSession((state) => loading.push(state.loading));

    await Promise.all([login(credentials), login(credentials)]);

    stop();
    expect(loading).toEqual([true, false]);
    expect(sent("POST /api/users/login")).toHaveLength(1);
  });

  it("that fails leaves its message until the next try, and stores nothing", async () => {
    answer("POST /api/users/login", (_, count) =>
      count === 0
        ? refusal(401, "NOT_AUTHENTICATED", "Wrong password.")
        : ok([{ ...ann, ...tokens }]),
    );
    const errors: (string | null)[] = [];
    const stop = onSession((state) => errors.push(state.error));

    await login(credentials).catch(() => undefined);
    expect(stored()).toEqual({});
    await login(credentials);

    stop();
    expect(errors).toEqual([null, "Wrong password.", null, null]);
  });

  it.each([
    [{ success: false }],
    [{ success: true }],
    [{ success: true, data: {} }],
    [{ success: true, data: [] }],
    [{ success: true, data: [{ accessToken: "a" }] }],
    [{ success: true, data: [{ refreshToken: "r" }] }],
  ])("answered with %j fails and stores nothing", async (body) => {
    answer("POST /api/users/login", () => new Response(JSON.stringify(body)));

    await expect(login(credentials)).rejects.toThrow();

    expect(stored()).toEqual({});
    expect(currentUser()).toBeNull();
  });

  it("of another person forgets what was the first one's, and keeps the options", async () => {
    await login(credentials);
    setSetting(`${PERSONAL}draft`, "mine");
    setSetting("highlight", true);
    endSession();
    answer("POST /api/users/login", () => ok([{ ...ann, id: 2, ...tokens }]));

    await login(credentials);

    expect(stored()).toMatchObject({ bb_setting_highlight: "true" });
    expect(stored()).not.toHaveProperty("bb_setting_person_draft");
  });

  it("of the same person after the session ended finds the drafts", async () => {
    await login(credentials);
    setSetting(`${PERSONAL}draft`, "mine");
    endSession();

    await login(credentials);

    expect(stored()).toHaveProperty("bb_setting_person_draft");
  });
});

describe("registration", () => {
  it("stores data[0].user and the tokens", async () => {
    answer("POST /api/users/register", () => ok([{ user: ann, ...tokens }]));

    await register({ ...credentials, name: "Ann" });

    expect(stored()).toMatchObject({ ...tokens, user: JSON.stringify(ann) });
  });
});

describe("a registration that fails", () => {
  it("leaves its message until the next try, and stores nothing", async () => {
    answer("POST /api/users/register", () => ok([]));
    const form = { ...credentials, name: "Ann" };

    await register(form).catch(() => undefined);

    const errors: (string | null)[] = [];
    const stop = onSession((state) => errors.push(state.error));
    expect(stored()).toEqual({});
    await register(form).catch(() => undefined);
    stop();
    expect(errors).toEqual([null, "Invalid registration response format"]);
  });
});

describe("logout", () => {
  it("clears user, tokens and what is the person's; theme and options remain", async () => {
    await login(credentials);
    localStorage.setItem("theme", "dark");
    setSetting("highlight", true);
    setSetting(`${PERSONAL}draft`, "mine");

    logout();

    expect(stored()).toEqual({ theme: "dark", bb_setting_highlight: "true" });
    expect(currentUser()).toBeNull();
  });

  it("tells the server which session ends", async () => {
    await login(credentials);

    logout();

    const [told] = sent("POST /api/users/logout");
    expect(told?.body).toEqual({ refreshToken: "refresh-1" });
  });

  it("by itself in another tab keeps here what is unsent, for the same person alone", async () => {
    await login(credentials);
    setSetting(`${PERSONAL}draft`, "mine");
    const came: string[] = [];
    const stops = [
      followOtherTabs(),
      onPersonBack(() => came.push("back")),
      onPersonForgotten(() => came.push("forgotten")),
    ];
    const tell = (user: object | null) => {
      if (user) localStorage.setItem("user", JSON.stringify(user));
      else localStorage.removeItem("user");
      window.dispatchEvent(new StorageEvent("storage", { key: "user" }));
    };

    tell(null);
    expect(currentUser()).toBeNull();
    expect(stored()).toHaveProperty("bb_setting_person_draft");
    tell(ann);
    tell(null);
    tell({ ...ann, id: 2 });

    for (const stop of stops) stop();
    expect(came).toEqual(["back", "forgotten", "back"]);
  });

  it.each([
    "[]",
    "7",
    '"ann"',
    '{"id": 1}',
    '{"id": "1", "email_address": "a@b.c", "name": ""}',
    "{",
  ])("is what a tab does that finds no person stored, but %s", async (text) => {
    await login(credentials);
    const stop = followOtherTabs();

    localStorage.setItem("user", text);
    window.dispatchEvent(new StorageEvent("storage", { key: "user" }));

    stop();
    expect(currentUser()).toBeNull();
  });

  it("in another tab is logout here", async () => {
    await login(credentials);
    const stop = followOtherTabs();

    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: "user", newValue: null }));

    stop();
    expect(currentUser()).toBeNull();
  });
});
