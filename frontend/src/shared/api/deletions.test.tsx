import { QueryClientProvider, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { newQueryClient } from "@/shared/query/newQueryClient";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { api } from "./client";

const GONE = "This does not exist. It may have been deleted.";
const gone = () => refusal(404, "NOT_FOUND", GONE);

function Bin() {
  const client = useQueryClient();
  const { data, error } = useQuery({
    queryKey: ["locations", "detail", 7],
    queryFn: ({ signal }) => api.get("inventoryLocations/{id}", { path: { id: 7 }, signal }),
  });
  const remove = useMutation({
    meta: { deletes: { about: [["locations", "detail"]] } },
    mutationFn: (id: number) => api.delete("inventoryLocations/{id}", { path: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["locations"] }),
  });
  return (
    <>
      <p>{error?.message ?? data?.data[0]?.name ?? "nothing yet"}</p>
      <p>{remove.status}</p>
      <button type="button" onClick={() => remove.mutate(7)}>
        Delete
      </button>
      <button type="button" onClick={() => void client.invalidateQueries()}>
        Look
      </button>
    </>
  );
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      {isOpen && <Bin />}
      <button type="button" onClick={() => setOpen((is) => !is)}>
        Leave or come back
      </button>
    </>
  );
}

beforeEach(installServer);

const begin = async () => {
  const view = render(
    <QueryClientProvider client={newQueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  await screen.findByText("A-1");
  return view;
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

describe("a row that is deleted", () => {
  it("is not asked for again while its page is in sight, and is not there when one comes back", async () => {
    answer("GET /api/inventoryLocations/7", (_, count) =>
      count === 0 ? ok([{ name: "A-1" }]) : gone(),
    );
    answer("DELETE /api/inventoryLocations/7", () => ok([]));
    await begin();

    await press("Delete");
    await screen.findByText("success");
    await press("Look");

    expect(screen.getByText("A-1")).toBeInTheDocument();
    expect(sent("GET /api/inventoryLocations/7")).toHaveLength(1);
    await press("Leave or come back");
    await press("Leave or come back");
    expect(await screen.findByText(GONE)).toBeInTheDocument();
  });

  it("shows no answer that was on its way", async () => {
    let arrive = (): void => undefined;
    const late = new Promise<void>((resolve) => (arrive = resolve));
    answer("GET /api/inventoryLocations/7", (_, count) =>
      count === 0 ? ok([{ name: "A-1" }]) : late.then(gone),
    );
    answer("DELETE /api/inventoryLocations/7", () => ok([]));
    await begin();

    await press("Look");
    await press("Delete");
    await screen.findByText("success");
    await act(async () => arrive());

    expect(screen.getByText("A-1")).toBeInTheDocument();
  });

  it("is asked for again where it could not be deleted", async () => {
    answer("GET /api/inventoryLocations/7", (_, count) =>
      ok([{ name: count === 0 ? "A-1" : "A-2" }]),
    );
    answer("DELETE /api/inventoryLocations/7", () =>
      refusal(409, "LOCATION_NOT_EMPTY", "Not empty."),
    );
    await begin();

    await press("Delete");

    expect(await screen.findByText("A-2")).toBeInTheDocument();
  });
});
