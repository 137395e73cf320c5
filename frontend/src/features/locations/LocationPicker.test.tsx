import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, page, refusal, sent } from "@/shared/testing/server";
import { LocationPicker } from "./LocationPicker";
import type { Bin } from "./model";
import { aLocation } from "./testing/builders";

const bins = [
  aLocation({ id: 7, name: "A-01" }),
  aLocation({ id: 8, name: "AB-2" }),
  aLocation({ id: 9, name: "B-2" }),
];

beforeEach(() => {
  installServer();
  answer("GET /api/inventoryLocations", ({ query }) =>
    page(bins.filter(({ name }) => name.includes((query.get("search") ?? "").toUpperCase()))),
  );
});

function Picker({ first = null }: { first?: Bin | null }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <LocationPicker label="Location" value={value} onChange={setValue} canCreate />
      <p>In {value?.name ?? "none"}</p>
    </>
  );
}

const field = () => screen.getByRole("combobox", { name: "Location" });

describe("LocationPicker", () => {
  it("offers no new bin where it could not look for the old ones", async () => {
    answer("GET /api/inventoryLocations", () => refusal(400, "X", "Not today."));
    const { user } = renderPage(<Picker />);

    await user.type(field(), "A-01");

    expect(
      await screen.findByText("Your bins could not be loaded. Not today."),
    ).toBeInTheDocument();
    expect(screen.queryByRole("option")).toBeNull();
  });

  it("takes what is named by keys that are faster than its search, not what stood there", async () => {
    const { user } = renderPage(<Picker />);
    await user.type(field(), "A");
    await screen.findByRole("option", { name: /A-01/ });

    await user.clear(field());
    await user.type(field(), "b-2{Enter}");

    expect(await screen.findByText("In B-2")).toBeInTheDocument();
  });

  it("takes nothing unseen that is only like what was typed", async () => {
    const { user } = renderPage(<Picker />);

    await user.type(field(), "b-{Enter}");

    expect(await screen.findByRole("option", { name: /AB-2/ })).toBeInTheDocument();
    expect(screen.getByText("In none")).toBeInTheDocument();
    expect(sent("POST /api/inventoryLocations")).toHaveLength(0);
  });

  it("lists the one that is named as typed first", async () => {
    const { user } = renderPage(<Picker />);

    await user.type(field(), "b-2");
    // Where typing is slow, the same two are found for "b" before, in another order.
    await waitFor(() => {
      const [first, ...others] = screen.getAllByRole("option");
      expect(first).toHaveTextContent(/^B-2/);
      expect(others).toHaveLength(1);
    });
  });

  it("keeps what is chosen when it is only passed by", async () => {
    const { user } = renderPage(<Picker first={{ id: 9, name: "B-2" }} />);

    await user.tab();
    await user.keyboard("{Enter}");

    expect(field()).toHaveAttribute("aria-expanded", "false");
    expect(screen.getByText("In B-2")).toBeInTheDocument();
  });
});
