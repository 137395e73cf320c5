import { QueryObserver } from "@tanstack/react-query";
import { newQueryClient } from "@/shared/query/newQueryClient";

const queryKey = ["batches", "list"] as const;

/** A list whose requests are answered by hand, in any order, with what the server knew then. */
function heldList() {
  const client = newQueryClient();
  const asked: { answer: (names: string[]) => void; signal: AbortSignal }[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string[]>((answer) => asked.push({ answer, signal }));
  const query = { queryKey, queryFn };
  const show = () => {
    const observer = new QueryObserver(client, query);
    observer.subscribe(() => undefined);
    return observer;
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { client, asked, query, show, settled, shown: () => client.getQueryData(queryKey) };
}

describe.each([
  ["an invalidation", "invalidate"],
  ["a write into the list", "set"],
] as const)("a request that was under way before %s", (_, how) => {
  const write = ({ client }: ReturnType<typeof heldList>) =>
    how === "set"
      ? client.setQueryData(queryKey, ["heap"])
      : client.invalidateQueries({ queryKey: ["batches"] });

  it("does not answer for the page's first list", async () => {
    const list = heldList();
    list.show();

    void write(list);
    void write(list);
    list.asked[0]?.answer([]);
    await list.settled();
    list.asked.at(-1)?.answer(["heap"]);
    await list.settled();

    expect(list.shown()).toEqual(["heap"]);
    expect(list.asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(list.client.getQueryState(queryKey)?.isInvalidated).toBe(false);
  });

  it("does not answer for a list that is fetched again", async () => {
    const list = heldList();
    list.show();
    list.asked[0]?.answer([]);
    await list.settled();
    void list.client.refetchQueries({ queryKey });

    void write(list);
    list.asked[1]?.answer([]);
    await list.settled();
    list.asked[2]?.answer(["heap"]);
    await list.settled();

    expect(list.shown()).toEqual(["heap"]);
  });

  it("does not answer who waits for it off the page", async () => {
    const list = heldList();
    const waiting = list.client.fetchQuery(list.query);

    void write(list);
    list.asked[0]?.answer([]);
    list.asked[1]?.answer(["heap"]);

    expect(await waiting).toEqual(["heap"]);
  });
});

it("sends nothing anew where nothing is under way", async () => {
  const list = heldList();
  list.show();
  list.asked[0]?.answer([]);
  await list.settled();

  list.client.setQueryData(queryKey, ["heap"]);

  expect(list.asked).toHaveLength(1);
  expect(list.shown()).toEqual(["heap"]);
});
