import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { api } from "@/shared/api/client";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, refusal, sent } from "@/shared/testing/server";
import { useSideQuery, useTellMissing } from "./sideQuery";

const one = (path: "sources" | "batches") => ({
  queryKey: [path] as const,
  queryFn: async () => (await api.get(path, { retry: false })).data,
});

function Sides() {
  const sources = useSideQuery(one("sources"), "your sources");
  useSideQuery(one("sources"), "your sources");
  const batches = useQuery(one("batches"));
  useTellMissing(batches, "your batches");
  return <p>{sources ? "There they are" : "–"}</p>;
}

beforeEach(installServer);

it("names all that could not be loaded in one notice, which goes when they are there", async () => {
  let isDown = true;
  const reply = () => (isDown ? refusal(500, "SERVER_ERROR", "The disk is full.") : ok([]));
  answer("GET /api/sources", reply);
  answer("GET /api/batches", reply);
  const { user, queryClient } = renderPage(<Sides />);

  const notice = await screen.findByText("Could not be loaded: your sources, your batches.");
  expect(notice.parentElement).toHaveTextContent("The disk is full.");
  await user.click(screen.getByRole("button", { name: "Load again" }));
  await waitFor(() => expect(sent("GET /api/sources")).toHaveLength(2));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(await screen.findByText(/Could not be loaded/)).toBeInTheDocument();

  isDown = false;
  await user.click(document.body); // otherwise the next press counts as part of a double click
  await user.click(screen.getByRole("button", { name: "Load again" }));

  expect(await screen.findByText("There they are")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText(/Could not be loaded/)).toBeNull());
});

it("says nothing of a session that has ended, which is said once elsewhere", async () => {
  answer("GET /api/sources", () => refusal(401, "NOT_AUTHENTICATED", "Please sign in."));
  answer("GET /api/batches", () => ok([]));
  renderPage(<Sides />);

  await waitFor(() => expect(sent("GET /api/sources").length).toBeGreaterThan(0));
  expect(screen.queryByText(/Could not be loaded/)).toBeNull();
});
