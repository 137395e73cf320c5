import { screen, waitFor } from "@testing-library/react";
import { Opened, renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { MoveContentsDialog } from "./MoveContentsDialog";
import { aLocation } from "./testing/builders";

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryLocations", () => page([aLocation({ id: 8, name: "B-02" })]));
});

describe("moving everything in a bin", () => {
  it("is taken back from its toast", async () => {
    answer("POST /api/inventoryLocations/7/move", () => ok([{ moved: 2, act_id: 4 }]));
    answer("POST /api/inventoryActs/4/undo", () => ok([{}]));
    const { user } = renderPage(
      <Opened>
        {(close) => (
          <MoveContentsDialog location={aLocation({ id: 7, name: "A-01" })} onClose={close} />
        )}
      </Opened>,
    );

    await user.type(await screen.findByRole("combobox"), "B");
    await user.click(await screen.findByRole("option", { name: /B-02/ }));
    await user.click(screen.getByRole("button", { name: "Move all" }));
    await screen.findByText("A-01 moved to B-02");
    await user.click(screen.getByRole("button", { name: "Undo" }));

    await screen.findByText("Undone: A-01 moved to B-02");
    await waitFor(() => expect(sent("POST /api/inventoryActs/4/undo")).toHaveLength(1));
  });
});

describe("merging a bin into another one", () => {
  it("waits for the other one, and then merges and moves nothing else", async () => {
    answer("POST /api/inventoryLocations/7/merge", () => ok([{ moved: 2 }]));
    const { user } = renderPage(
      <Opened>
        {(close) => (
          <MoveContentsDialog location={aLocation({ id: 7, name: "A-01" })} merge onClose={close} />
        )}
      </Opened>,
    );

    await user.click(await screen.findByRole("button", { name: "Merge and delete" }));
    await user.type(screen.getByRole("combobox"), "B");
    await user.click(await screen.findByRole("option", { name: /B-02/ }));
    await user.click(screen.getByRole("button", { name: "Merge and delete" }));

    await screen.findByText("A-01 is part of B-02 now");
    expect(sent("POST /api/inventoryLocations/7/merge").map(({ body }) => body)).toEqual([
      { into: 8 },
    ]);
    expect(sent("POST /api/inventoryLocations/7/move")).toHaveLength(0);
  });
});
