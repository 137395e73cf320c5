import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { MoveContentsDialog } from "./MoveContentsDialog";
import { aLocation } from "./testing/builders";

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryLocations", () => page([aLocation({ id: 8, name: "B-02" })]));
});

function Page() {
  const [isOpen, setOpen] = useState(true);
  const location = aLocation({ id: 7, name: "A-01" });
  return isOpen && <MoveContentsDialog location={location} onClose={() => setOpen(false)} />;
}

describe("moving everything in a bin", () => {
  it("is taken back from its toast", async () => {
    answer("POST /api/inventoryLocations/7/move", () => ok([{ moved: 2, act_id: 4 }]));
    answer("POST /api/inventoryActs/4/undo", () => ok([{}]));
    const { user } = renderPage(<Page />);

    await user.type(await screen.findByRole("combobox"), "B");
    await user.click(await screen.findByRole("option", { name: /B-02/ }));
    await user.click(screen.getByRole("button", { name: "Move all" }));
    await screen.findByText("A-01 moved to B-02");
    await user.click(screen.getByRole("button", { name: "Undo" }));

    await screen.findByText("Undone: A-01 moved to B-02");
    await waitFor(() => expect(sent("POST /api/inventoryActs/4/undo")).toHaveLength(1));
  });
});
