import { screen, waitFor } from "@testing-library/react";
import { Opened, renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, refusal, sent } from "@/shared/testing/server";
import { PatternDialog } from "./PatternDialog";
import { aLayout } from "./testing/builders";

const route = "POST /api/inventoryLocations/pattern";

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryContainerTypes", () => page([]));
});

describe("PatternDialog", () => {
  it("shows the names beforehand, says which exist, and makes the others", async () => {
    const made = { count: 2, names: ["A-1", "A-2"], existing_count: 1, ids: [8, 9] };
    answer(route, () => ok([made]));
    answer("POST /api/inventoryLocations/deleteMany", () => ok([{ deleted: 2 }]));
    const { user } = renderPage(
      <Opened>
        {(close) => <PatternDialog pattern="A-[1-3]" onClose={close} onPaper={() => undefined} />}
      </Opened>,
    );

    expect(await screen.findByText("A-2")).toBeInTheDocument();
    expect(screen.getByText("1 exist already and stay as they are")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Add 2 locations" }));

    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    const bodies = sent(route).map(({ body }) => body);
    expect(bodies[0]).toEqual({
      pattern: "A-[1-3]",
      inventory_container_type_id: null,
      dry_run: true,
    });
    expect(bodies).toContainEqual({
      pattern: "A-[1-3]",
      inventory_container_type_id: null,
      dry_run: false,
    });

    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Undone: 2 locations added");
    expect(sent("POST /api/inventoryLocations/deleteMany")[0]?.body).toEqual({ ids: [8, 9] });
  });

  it("saves the labels of what it made by the same press", async () => {
    jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const labels = "POST /api/inventoryLocations/labels";
    answer(route, () => ok([{ count: 2, names: ["A-1", "A-2"], existing_count: 0, ids: [8, 9] }]));
    answer("GET /api/labelLayouts", () => ok([aLayout()]));
    answer(labels, () => ok([{ count: 2, names: [], pages: 1, unknown_characters: [] }]));
    const { user } = renderPage(
      <Opened>
        {(close) => <PatternDialog pattern="A-[1-2]" onClose={close} onPaper={() => undefined} />}
      </Opened>,
    );
    await screen.findByText("A-2");

    await user.click(screen.getByRole("button", { name: "Add and save labels" }));

    expect(await screen.findByText("Labels saved as PDF")).toBeInTheDocument();
    expect(await screen.findByText("2 locations added")).toBeInTheDocument();
    expect(sent(labels).at(-1)?.body).toMatchObject({ ids: [8, 9], test_page: false });
    jest.restoreAllMocks();
  });

  it("asks for a preview once typing rests, and shows what is wrong with the pattern", async () => {
    answer(route, ({ body }) =>
      (body as { pattern: string }).pattern.endsWith("]")
        ? ok([{ count: 1, names: ["B-1"], existing_count: 0 }])
        : refusal(400, "VALIDATION_ERROR", "pattern", {
            fields: { pattern: ["Expected ] after the [ at character 3."] },
          }),
    );
    const { user } = renderPage(
      <PatternDialog pattern="B-[1]" onClose={() => undefined} onPaper={() => undefined} />,
    );
    await screen.findByText("B-1");

    const field = screen.getByRole("textbox", { name: /Pattern/ });
    await user.type(field, "{Backspace}-9");

    expect(await screen.findByText("Expected ] after the [ at character 3.")).toBeInTheDocument();
    expect(sent(route)).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Add locations" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
});
