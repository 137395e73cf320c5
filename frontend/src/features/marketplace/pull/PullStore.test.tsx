import { screen, waitFor } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { aConnection } from "../testing/builders";
import { PullStore } from "./PullStore";

const PULLS = "POST /api/marketplace/pulls";

beforeEach(() => {
  installServer();
  answer("GET /api/marketplaceConnection", () => ok([aConnection({ is_demo: false })]));
});

const show = () => renderPage(<PullStore />, { at: "/app/marketplace" });

describe("pulling the store", () => {
  it("begins by one press, and shows the import where its preview will be", async () => {
    answer(PULLS, () => ok([{ id: 8, job_id: null }]));
    const { user, router } = show();

    await user.click(await screen.findByRole("button", { name: "Pull your store" }));

    await waitFor(() => expect(router.state.location.search).toBe("?sync=8"));
    expect(router.state.location.pathname).toBe("/app/inventory");
    expect(sent(PULLS)).toHaveLength(1);
  });

  it("shows the import that runs already", async () => {
    answer(PULLS, () => refusal(409, "CONFLICT", "An import runs.", { data: [{ sync_id: 3 }] }));
    const { user, router } = show();

    await user.click(await screen.findByRole("button", { name: "Pull your store" }));

    await waitFor(() => expect(router.state.location.search).toBe("?sync=3"));
  });

  it("is not offered without a store", async () => {
    let asked = false;
    answer("GET /api/marketplaceConnection", () => {
      asked = true;
      return ok([aConnection({ state: "none", is_demo: false })]);
    });
    show();

    await waitFor(() => expect(asked).toBe(true));
    expect(screen.queryByRole("button")).toBeNull();
  });
});
