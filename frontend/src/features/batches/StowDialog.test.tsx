import { screen, waitFor } from "@testing-library/react";
import { clientStore } from "@/shared/store/clientStore";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import type { LeftByJob } from "./detail/dialog";
import type { ItemChoice } from "./operations";
import { StowDialog } from "./StowDialog";

const route = "POST /api/batches/12/stow";
const done = { items: [101], failed: [], weight_unknown: [], job_id: null };
const refused = {
  ...done,
  items: [],
  failed: [
    {
      id: 101,
      name: "Red Brick 2 x 4 (3001)",
      reason: "A-01 takes 5 more pieces, not 6.",
      limits: [
        { name: "A-01", limit: "max_item_count", room: "5", wanted: "6", can_override: true },
      ],
    },
  ],
};

function open(items: ItemChoice = [101], left?: LeftByJob) {
  const onDone = jest.fn();
  const onClose = jest.fn();
  const onJob = jest.fn();
  const view = renderPage(
    <StowDialog
      batchId={12}
      items={items}
      count={left?.count ?? 1}
      left={left}
      onClose={onClose}
      onDone={onDone}
      onJob={onJob}
    />,
  );
  return { ...view, onDone, onClose, onJob };
}

beforeEach(() => {
  installServer();
  clientStore.clear("options.listWithStow");
  answer("GET /api/inventoryLocations", () => page([{ id: 7, name: "A-01", item_count: 0 }]));
});

describe("StowDialog", () => {
  it("stows each item where it is planned or recommended", async () => {
    answer(route, () => ok([{ ...done, weight_unknown: [101] }]));
    const { user, onDone } = open();

    await user.click(await screen.findByRole("button", { name: "Stow" }));

    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent(route)[0]?.body).toEqual({ items: [101] });
    expect(await screen.findByText("1 lot stowed")).toBeInTheDocument();
    expect(screen.getByText(/weight of 1 lot is not known/)).toBeInTheDocument();
  });

  it("leads to the walk of a whole batch", async () => {
    open("all");

    expect(await screen.findByRole("link", { name: "walk bin by bin" })).toHaveAttribute(
      "href",
      "/app/batches?batch=12&walk=1",
    );
  });

  it("lists with it what is stowed while listing is on", async () => {
    clientStore.set("options.listWithStow", true);
    answer(route, () => ok([done]));
    const { user, onDone } = open();

    expect(await screen.findByRole("button", { name: "LISTING ON" })).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Stow" }));

    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent(route)[0]?.body).toEqual({ items: [101], list: true });
  });

  it("stows into one location", async () => {
    answer(route, () => ok([done]));
    const { user, onDone } = open();

    await user.click(await screen.findByRole("radio", { name: "One bin" }));
    expect(screen.getByRole("button", { name: "Stow" })).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByRole("combobox", { name: /Bin/ }), "A");
    await user.click(await screen.findByRole("option", { name: /A-01/ }));
    await user.click(screen.getByRole("button", { name: "Stow" }));

    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent(route)[0]?.body).toEqual({ items: [101], location_id: 7 });
  });

  it("says which limit refuses and by how much, and passes it with a reason", async () => {
    answer(route, (_, count) =>
      count === 0
        ? refusal(409, "CAPACITY_EXCEEDED", "A-01 takes 5 more pieces, not 6.", { data: [refused] })
        : ok([done]),
    );
    const { user, onDone } = open();
    await user.click(await screen.findByRole("button", { name: "Stow" }));

    expect(await screen.findByRole("dialog", { name: "Stow: 0 ok, 1 failed" })).toBeVisible();
    expect(screen.getByRole("cell", { name: "A-01 takes 5 more pieces, not 6." })).toBeVisible();
    expect(screen.getByRole("button", { name: "Stow anyway" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.type(screen.getByRole("textbox", { name: /Reason/ }), "A second box");
    await user.click(screen.getByRole("button", { name: "Stow anyway" }));

    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent(route)[1]?.body).toEqual({ items: [101], override_reason: "A second box" });
  });

  it("offers no reason where a location is marked full", async () => {
    const full = refused.failed.map((item) => ({
      ...item,
      reason: "A-01 is marked full.",
      limits: item.limits.map((limit) => ({ ...limit, can_override: false })),
    }));
    answer(route, () =>
      refusal(409, "CAPACITY_EXCEEDED", "full", { data: [{ ...refused, failed: full }] }),
    );
    const { user } = open();
    await user.click(await screen.findByRole("button", { name: "Stow" }));

    expect(await screen.findByRole("cell", { name: "A-01 is marked full." })).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /Reason/ })).toBeNull();
  });

  describe("of 2,000 rows of which a job has refused more than it lists", () => {
    const [listed] = refused.failed;
    const left = {
      jobId: "j1",
      done: 500,
      refused: Array.from({ length: 1_000 }, (_, index) => ({ ...listed, id: 101 + index })),
      count: 1_500,
    } as LeftByJob;

    it("goes on with those that the job has refused, and no others", async () => {
      answer(route, () => ok([{ ...done, items: [], job_id: "j2" }]));
      const { user, onJob } = open("all", left);

      await user.click(await screen.findByRole("button", { name: "Choose another bin" }));
      await user.type(screen.getByRole("combobox", { name: /Bin/ }), "A");
      await user.click(await screen.findByRole("option", { name: /A-01/ }));
      await user.click(screen.getByRole("button", { name: "Stow" }));

      await waitFor(() => expect(onJob).toHaveBeenCalledWith("j2"));
      expect(sent(route)[0]?.body).toEqual({ items: "all", refused_by: "j1", location_id: 7 });
    });

    it("stows those anyway, and no others", async () => {
      answer(route, () => ok([{ ...done, items: [], job_id: "j2" }]));
      const { user, onJob } = open("all", left);

      await user.type(await screen.findByRole("textbox", { name: /Reason/ }), "A second box");
      await user.click(screen.getByRole("button", { name: "Stow anyway" }));

      await waitFor(() => expect(onJob).toHaveBeenCalledWith("j2"));
      expect(sent(route)[0]?.body).toEqual({
        items: "all",
        refused_by: "j1",
        override_reason: "A second box",
      });
    });
  });
});
