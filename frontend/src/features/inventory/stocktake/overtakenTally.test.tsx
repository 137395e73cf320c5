import { useQuery } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { renderPage } from "@/shared/testing/app";
import { answer, installServer, ok, page, sent } from "@/shared/testing/server";
import { type Stocktake, stocktakeQueries, useCounting } from "./stocktake";

const GET = "GET /api/stocktakes/6/tally";
const POST = "POST /api/stocktakes/6/counts";
const tally = (counted: number) => ({
  rows: 2,
  counted,
  fewer_rows: 0,
  more_rows: 0,
  fewer_pieces: 0,
  more_pieces: 0,
  uncounted_pieces: 0,
  found_lots: 0,
  found_pieces: 0,
});

const aStocktake = { id: 6, location_id: 7, location_name: "A-01" } as Stocktake;

function Counting() {
  const { count } = useCounting(aStocktake);
  const { data, refetch } = useQuery(stocktakeQueries.tally(6));
  return (
    <>
      <output>{data ? `${data.counted} counted` : "loading"}</output>
      <button type="button" onClick={() => count.mutate({ item_id: 40, counted: 30 })}>
        Count
      </button>
      <button type="button" onClick={() => void refetch()}>
        Ask again
      </button>
    </>
  );
}

/** The next GET of the tally is answered by `arrive`, with what was so before the count. */
function late() {
  let arrive = () => undefined as unknown;
  const before = sent(GET).length;
  answer(GET, (_, count) =>
    count > before
      ? ok([tally(1)])
      : new Promise<Response>((done) => (arrive = () => done(ok([tally(0)])))),
  );
  return () => arrive();
}

beforeEach(() => {
  installServer();
  answer("GET /api/stocktakes/6/rows", () => page([]));
  answer("GET /api/stocktakes/6/found", () => page([]));
  answer(POST, () => ok([tally(1)]));
});

it("is not shown where its request was under way when a count was written", async () => {
  const arrive = late();
  const { user, queryClient } = renderPage(<Counting />);
  await waitFor(() => expect(sent(GET)).toHaveLength(1));

  await user.click(screen.getByRole("button", { name: "Count" }));
  expect(await screen.findByText("1 counted")).toBeInTheDocument();
  arrive();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));

  expect(screen.getByRole("status")).toHaveTextContent("1 counted");
});

it("is not shown where it was asked for while the count was on its way", async () => {
  answer(GET, () => ok([tally(0)]));
  let write = () => undefined as unknown;
  answer(POST, () => new Promise<Response>((done) => (write = () => done(ok([tally(1)])))));
  const { user, queryClient } = renderPage(<Counting />);
  await screen.findByText("0 counted");

  await user.click(screen.getByRole("button", { name: "Count" }));
  await waitFor(() => expect(sent(POST)).toHaveLength(1));
  const arrive = late();
  await user.click(screen.getByRole("button", { name: "Ask again" }));
  await waitFor(() => expect(sent(GET)).toHaveLength(2));
  write();
  expect(await screen.findByText("1 counted")).toBeInTheDocument();
  arrive();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));

  expect(screen.getByRole("status")).toHaveTextContent("1 counted");
});
