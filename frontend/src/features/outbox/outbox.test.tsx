import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { setUser } from "@/features/auth/public";
import { outbox } from "@/shared/outbox/theOutbox";
import type { NewRequest } from "@/shared/outbox/unsent";
import { renderPage } from "@/shared/testing/app";
import { testPerson } from "@/shared/testing/rendering";
import { answer, installServer, offline, ok, refusal, sent } from "@/shared/testing/server";
import { LogOutDialog } from "./LogOutDialog";
import { OutboxLayer } from "./OutboxLayer";
import { closeUnsent } from "./opened";
import { UnsentCount, UnsentNotice } from "./UnsentCount";

const ROUTE = "POST /api/batches/5/skip";
const request = (piece: number): NewRequest => ({
  method: "POST",
  path: "batches/5/skip",
  body: { piece },
  kind: "test",
  rows: ["batch 5", `piece ${piece}`],
  words: `Skip piece ${piece}`,
  to: "/app/batches?batch=5",
});

beforeEach(() => {
  closeUnsent();
  installServer();
  answer("POST /api/users/logout", () => ok());
  setUser({ id: testPerson(), name: "Ann", email_address: "ann@example.com" } as never);
});

async function show() {
  const view = renderPage(
    <>
      <UnsentCount />
      <OutboxLayer />
    </>,
  );
  await act(() => outbox.open(testPerson()));
  return view;
}

const post = (...pieces: number[]) => act(() => outbox.post(pieces.map(request)));
const isAway = () => waitFor(() => expect(outbox.store.getState().waitsFor).toBe("line"));

test("counts what is unsent, and lists it with the reason", async () => {
  answer(ROUTE, offline);
  const { user } = await show();
  await post(1, 2);

  await user.click(await screen.findByRole("button", { name: "2 unsent" }));

  const lines = within(await screen.findByRole("list", { name: "Unsent" })).getAllByRole(
    "listitem",
  );
  expect(lines[0]).toHaveTextContent("Skip piece 1");
  expect(lines[0]).toHaveTextContent("No connection to the server");
  answer(ROUTE, () => ok());
  await user.click(screen.getByRole("button", { name: "Try now" }));
  expect(await screen.findByText("Everything is sent")).toBeVisible();
  expect(sent(ROUTE).map(({ body }) => body)).toContainEqual({ piece: 2 });
});

test("discards one, and takes that back", async () => {
  answer(ROUTE, offline);
  const { user } = await show();
  await post(1);
  await isAway();
  await user.click(await screen.findByRole("button", { name: "1 unsent" }));

  await user.click(await screen.findByRole("button", { name: "Discard" }));
  expect(await screen.findByText("Everything is sent")).toBeVisible();
  // Beside the open dialog: styles let it be clicked there.
  const undo = screen.getByRole("button", { name: "Undo" });
  fireEvent.pointerDown(undo);
  fireEvent.click(undo);

  expect(await screen.findByText("Skip piece 1")).toBeVisible();
});

test("tells a refusal on any page, and Show leads to it", async () => {
  answer(ROUTE, () => refusal(409, "FULL", "The batch is closed."));
  const { user, router } = await show();

  await post(1);

  const notice = await screen.findByRole("alert");
  expect(notice).toHaveTextContent("Refused: Skip piece 1");
  expect(notice).toHaveTextContent("The batch is closed.");
  expect(await screen.findByRole("button", { name: "1 refused" })).toBeVisible();
  await user.click(within(notice).getByRole("button", { name: "Show" }));
  expect(router.state.location.pathname).toBe("/app/batches");
});

test("tells a refusal again after a reload", async () => {
  answer(ROUTE, () => refusal(409, "FULL", "The batch is closed."));
  const before = await show();
  await post(1);
  await screen.findByRole("alert");
  before.unmount();
  outbox.close();

  await show();

  expect(await screen.findByRole("alert")).toHaveTextContent("Refused: Skip piece 1");
});

test("a page's notice leads to the list", async () => {
  answer(ROUTE, () => refusal(409, "FULL", "The batch is closed."));
  const { user } = renderPage(
    <>
      <UnsentNotice />
      <OutboxLayer />
    </>,
  );
  await act(() => outbox.open(testPerson()));
  await post(1);

  await screen.findByText("1 refused");
  const [show] = screen.getAllByRole("button", { name: "Show" });
  if (show) await user.click(show);

  expect(await screen.findByRole("list", { name: "Unsent" })).toHaveTextContent(
    "The batch is closed.",
  );
});

describe("logging out with something unsent", () => {
  const kept = async () => {
    outbox.close();
    await act(() => outbox.open(testPerson()));
    return outbox.store.getState().requests.length;
  };

  async function ask() {
    answer(ROUTE, offline);
    const view = renderPage(<LogOutDialog onClose={() => undefined} />);
    await act(() => outbox.open(testPerson()));
    await post(1);
    await isAway();
    return view;
  }

  test("sends it first", async () => {
    const { user } = await ask();
    answer(ROUTE, () => ok());

    await user.click(screen.getByRole("button", { name: "Send first" }));

    await waitFor(() => expect(localStorage.getItem("user")).toBeNull());
    expect(await kept()).toBe(0);
  });

  test("stays while the server cannot be reached", async () => {
    const { user } = await ask();

    await user.click(screen.getByRole("button", { name: "Send first" }));

    expect(await screen.findByText("The server cannot be reached")).toBeVisible();
    expect(localStorage.getItem("user")).not.toBeNull();
  });

  test("keeps it for the same person", async () => {
    const { user } = await ask();

    await user.click(screen.getByRole("button", { name: "Keep on this computer" }));

    expect(localStorage.getItem("user")).toBeNull();
    expect(outbox.store.getState().requests).toEqual([]);
    expect(await kept()).toBe(1);
  });

  test("discards it", async () => {
    const { user } = await ask();

    await user.click(screen.getByRole("button", { name: "Discard" }));

    await waitFor(() => expect(localStorage.getItem("user")).toBeNull());
    expect(await kept()).toBe(0);
  });
});
