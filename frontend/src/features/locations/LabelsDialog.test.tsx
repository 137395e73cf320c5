import { useQueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { getSetting, setSetting } from "@/shared/lib/localSettings";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { LabelsDialog } from "./LabelsDialog";
import { locationQueries } from "./queries";
import { saveLabelsAtOnce } from "./saveLabels";
import { aLayout } from "./testing/builders";

const plan = { count: 2, names: ["A-1", "A-2"], pages: 1, unknown_characters: [] };

beforeEach(() => {
  installServer();
  // jsdom would go there.
  jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  answer("GET /api/labelLayouts", () =>
    ok([aLayout(), aLayout({ id: "roll_62", name: "A roll", is_roll: true, per_page: 1 })]),
  );
  answer("POST /api/inventoryLocations/labels", () => ok([plan]));
});

afterEach(() => jest.restoreAllMocks());

const open = () =>
  renderPage(<LabelsDialog choice={{ ids: [7, 8], count: 2 }} onClose={() => undefined} />);
const printed = () =>
  sent("POST /api/inventoryLocations/labels")
    .map(({ body }) => body as Record<string, unknown>)
    .filter((body) => !body.dry_run);

describe("LabelsDialog", () => {
  it("draws the sheet with what will be where", async () => {
    open();
    const sheet = await screen.findByRole("img", { name: "The first sheet" });
    expect(await within(sheet).findByText("A-2")).toBeInTheDocument();
    expect(await screen.findByText("2 labels on 1 sheet; the last at position 2")).toBeVisible();
  });

  it("prints from the position that was clicked, and begins behind them the next time", async () => {
    const { user } = open();
    const sheet = await screen.findByRole("img", { name: "The first sheet" });
    await user.click(within(sheet).getByText("4"));
    expect(screen.getByLabelText("Begin at position")).toHaveValue("4");
    await waitFor(() =>
      expect(screen.getByText("2 labels on 1 sheet; the last at position 5")).toBeVisible(),
    );
    await user.click(screen.getByRole("button", { name: "Save as PDF" }));
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatchObject({
      ids: [7, 8],
      layout: "avery_l7160",
      start: 4,
      test_page: false,
    });
    await waitFor(() =>
      expect(getSetting("labels", { path: "starts" })).toEqual({ avery_l7160: 6 }),
    );
  });

  it("remembers the paper that was printed, not the one chosen meanwhile", async () => {
    let arrive: (answered: ReturnType<typeof ok>) => void = () => undefined;
    answer("POST /api/inventoryLocations/labels", ({ body }) =>
      (body as Record<string, unknown>).dry_run
        ? ok([plan])
        : new Promise((resolve) => {
            arrive = resolve;
          }),
    );
    const { user } = open();
    const start = await screen.findByLabelText("Begin at position");
    await user.clear(start);
    await user.type(start, "4");
    await user.click(screen.getByRole("button", { name: "Save as PDF" }));
    await waitFor(() => expect(printed()).toHaveLength(1));
    await user.selectOptions(screen.getByLabelText("Paper"), "roll_62");

    arrive(ok([plan]));

    await waitFor(() =>
      expect(getSetting("labels", { path: "starts" })).toEqual({ avery_l7160: 6 }),
    );
  });

  it("corrects the printer by the opposite of what it is off", async () => {
    const { user } = open();
    const right = await screen.findByLabelText("To the right");
    await user.clear(right);
    await user.type(right, "1,5");
    await user.click(screen.getByRole("button", { name: "Test page" }));
    await waitFor(() => expect(printed()).toHaveLength(1));
    expect(printed()[0]).toMatchObject({ shift_right: -1.5, shift_down: 0, test_page: true });
  });

  it("lets the list tell anew which have a label", async () => {
    const { user, queryClient } = open();
    const stale = jest.spyOn(queryClient, "invalidateQueries");
    await user.click(await screen.findByRole("button", { name: "Save as PDF" }));
    await waitFor(() => expect(stale).toHaveBeenCalledWith({ queryKey: locationQueries.lists() }));
  });

  it("begins with the label size that all their container types name", async () => {
    setSetting("labels", { layout: "avery_l7160", starts: { avery_l7160: 3 } });
    answer("POST /api/inventoryLocations/labels", () =>
      ok([{ ...plan, label_sizes: ["roll_62"] }]),
    );
    const { user } = open();
    expect(await screen.findByLabelText("Paper")).toHaveValue("roll_62");
    expect(screen.getByText("The label size of their container type.")).toBeVisible();

    await user.selectOptions(screen.getByLabelText("Paper"), "avery_l7160");
    expect(screen.queryByText("The label size of their container type.")).not.toBeInTheDocument();
    expect(screen.getByLabelText("Begin at position")).toHaveValue("3");
    await user.click(screen.getByRole("button", { name: "Save as PDF" }));
    await waitFor(() => expect(printed()[0]).toMatchObject({ layout: "avery_l7160", start: 3 }));
  });

  it.each([
    [["avery_l7160", "roll_62"], true],
    [["", "avery_l7160"], true],
    [[""], false],
    [["sold out"], false],
  ])("begins with the paper used last where they name %j", async (label_sizes, isTold) => {
    setSetting("labels", { layout: "roll_62" });
    answer("POST /api/inventoryLocations/labels", () => ok([{ ...plan, label_sizes }]));
    open();
    expect(await screen.findByLabelText("Paper")).toHaveValue("roll_62");
    const told = screen.queryByText(/so this is the paper used last/);
    expect(told !== null).toBe(isTold);
  });

  it("asks for no position on a roll", async () => {
    const { user } = open();
    await user.selectOptions(await screen.findByLabelText("Paper"), "roll_62");
    expect(screen.queryByLabelText("Begin at position")).not.toBeInTheDocument();
  });

  it("says which characters the labels' letters lack", async () => {
    answer("POST /api/inventoryLocations/labels", () =>
      ok([{ ...plan, unknown_characters: ["箱"] }]),
    );
    open();
    expect(await screen.findByText(/have no 箱/)).toBeInTheDocument();
  });

  it("says why nothing can be printed", async () => {
    answer("POST /api/inventoryLocations/labels", () =>
      refusal(400, "VALIDATION_ERROR", "ids: are none of yours", {
        fields: { ids: ["are none of yours"] },
      }),
    );
    open();
    expect((await screen.findAllByText(/are none of yours/)).length).toBeGreaterThan(0);
  });
});

describe("labels saved at once", () => {
  const choice = { ids: [7], count: 1 };

  function AtOnce({ onOther }: { onOther: () => void }) {
    const client = useQueryClient();
    return (
      <button type="button" onClick={() => void saveLabelsAtOnce(client, choice, onOther)}>
        Save
      </button>
    );
  }

  it("come on the paper used last, behind the labels before, and lead to the others", async () => {
    setSetting("labels", { layout: "avery_l7160", starts: { avery_l7160: 3 } });
    const onOther = jest.fn();
    const { user } = renderPage(<AtOnce onOther={onOther} />);

    await user.click(screen.getByRole("button", { name: "Save" }));

    await user.click(await screen.findByRole("button", { name: "Other paper" }));
    expect(onOther).toHaveBeenCalled();
    expect(printed()).toHaveLength(1);
    expect(printed()[0]).toMatchObject({
      ids: [7],
      layout: "avery_l7160",
      start: 3,
      test_page: false,
    });
    expect(getSetting("labels", { path: "starts" })).toEqual({ avery_l7160: 4 });
  });

  it("come on the label size of their container type", async () => {
    answer("POST /api/inventoryLocations/labels", () =>
      ok([{ ...plan, label_sizes: ["roll_62"] }]),
    );
    const { user } = renderPage(<AtOnce onOther={() => undefined} />);

    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText(/For A roll/)).toBeInTheDocument();
    expect(printed()[0]).toMatchObject({ layout: "roll_62", start: 1 });
  });

  it("say why they were not saved", async () => {
    answer("POST /api/inventoryLocations/labels", () =>
      refusal(400, "VALIDATION_ERROR", "ids: are none of yours"),
    );
    const { user } = renderPage(<AtOnce onOther={() => undefined} />);

    await user.click(screen.getByRole("button", { name: "Save" }));

    expect(await screen.findByText(/are none of yours/)).toBeInTheDocument();
    expect(printed()).toHaveLength(0);
  });
});
