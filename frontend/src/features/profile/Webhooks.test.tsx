import { screen, waitFor, within } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, created, installServer, ok, sent } from "@/shared/testing/server";
import { Webhooks } from "./Webhooks";

const aHook = {
  id: 3,
  address: "https://example.org/hook",
  events: ["order.received"],
  failingSince: null,
  stoppedAt: null,
  createdAt: "2026-11-01T10:00:00Z",
};

beforeEach(() => {
  installServer();
  answer("GET /api/webhooks", () => ok([aHook]));
});

test("a new one shows its secret once", async () => {
  answer("POST /api/webhooks", () => created({ ...aHook, secret: "whsec_abc" }));
  const { user } = renderPage(<Webhooks />);

  await user.click(screen.getByRole("button", { name: "New webhook" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByLabelText(/Address/), aHook.address);
  await user.click(within(dialog).getByLabelText(/An order arrived/));
  await user.click(within(dialog).getByRole("button", { name: "Make webhook" }));

  expect(await screen.findByText("whsec_abc")).toBeVisible();
  expect(sent("POST /api/webhooks")[0]?.body).toEqual({
    address: aHook.address,
    events: ["order.received"],
  });
});

test("its log sends a delivery again", async () => {
  const row = {
    id: 9,
    event_id: "e",
    event: "order.received",
    about: "order 5",
    attempts: 2,
    told: "answered 500",
    createdAt: "2026-11-01T10:00:00Z",
    dueAt: null,
    deliveredAt: null,
  };
  answer("GET /api/webhooks/3/deliveries", () => ok([row]));
  answer("POST /api/webhooks/3/deliveries/9/again", () => ok([row]));
  const { user } = renderPage(<Webhooks />);

  await user.click(await screen.findByRole("button", { name: "Show log" }));
  expect(await screen.findByText("answered 500")).toBeVisible();
  const log = within(screen.getByRole("list", { name: `Log of ${aHook.address}` }));
  expect(log.getByText(/^An order arrived, /)).toBeVisible();
  expect(log.getByText("order.received · order 5")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Send again" }));

  expect(await screen.findByText("On its way again")).toBeVisible();
  expect(sent("POST /api/webhooks/3/deliveries/9/again")).toHaveLength(1);
});

test("one that was stopped is resumed", async () => {
  answer("GET /api/webhooks", () => ok([{ ...aHook, stoppedAt: "2026-11-02T10:00:00Z" }]));
  answer("POST /api/webhooks/3/resume", () => ok([aHook]));
  const { user } = renderPage(<Webhooks />);

  await user.click(await screen.findByRole("button", { name: "Resume" }));

  await waitFor(() => expect(sent("POST /api/webhooks/3/resume")).toHaveLength(1));
});
