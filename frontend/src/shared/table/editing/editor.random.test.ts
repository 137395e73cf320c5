/** Many random sessions at one table: at the end the screen always equals the server. */
import { diceOf } from "@/shared/outbox/testing/random";
import { outbox } from "@/shared/outbox/theOutbox";
import { pass } from "@/shared/testing/passing";
import { KEY, note, open, type Part, qty, reopened } from "./testing/parts";

const SITTINGS = 20;
const ACTS = 30;

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  outbox.close();
  jest.useRealTimers();
});

type Mood = { faults: boolean; others: boolean; reloads: boolean };

function sit(seed: number, mood: Mood) {
  const { next, below, one } = diceOf(seed);
  const table = open(5);
  const { server, queryClient } = table;
  let { editor } = table;
  const latency = () => (next() < 0.3 ? 0 : below(900));
  server.takes = latency;

  /** A list as the page fetches it: read from the server half-way, shown at its end. */
  const fetched = async () => {
    const ms = latency();
    await new Promise((resolve) => setTimeout(resolve, ms / 2));
    const rows = [...server.rows.values()];
    await new Promise((resolve) => setTimeout(resolve, ms / 2));
    queryClient.setQueryData([...KEY, {}], { data: rows, pagination: null });
  };
  jest.spyOn(queryClient, "invalidateQueries").mockImplementation(fetched);
  const listed = () => queryClient.getQueryData<{ data: Part[] }>([...KEY, {}])?.data ?? [];

  const acts = {
    type: () => {
      const row = one(listed());
      if (!row) return;
      const [column, text] =
        next() < 0.6
          ? ([qty, one(["7", "8", "=*2", "=+1", "many", "9"])] as const)
          : ([note, one(["dusty", "clean", "", " odd "])] as const);
      editor.commit(String(row.id), row, column, text);
    },
    bulk: () => {
      const rows = listed().filter(() => next() < 0.6);
      const after = one(["3", "4"]);
      const cells = rows.flatMap((row) => {
        const before = String(editor.shown(String(row.id), row).qty);
        return before === after ? [] : [{ row: String(row.id), column: "qty", before, after }];
      });
      void editor.change(cells, { type: "bulk-edit", label: "Set" }, { atomic: next() < 0.5 });
    },
    remove: () => {
      const row = one(listed());
      if (row) void editor.rowActs.delete([row]);
    },
    undo: () => void editor.undo(),
    redo: () => void editor.redo(),
    goTo: () => {
      const entry = one([...editor.history.done, ...editor.history.undone]);
      if (entry) void editor.goTo(entry.id);
    },
    refuse: () => {
      if (!mood.faults) return;
      server.refuse = ({ qty: pieces }) => (pieces === 8 ? "Not eight." : null);
    },
    accept: () => {
      server.refuse = () => null;
    },
    lose: () => {
      if (mood.faults) server.lost.push(one(["request", "answer"]));
    },
    elsewhere: () => {
      const row = one([...server.rows.values()]);
      if (!mood.others || !row) return;
      server.change(row.id, next() < 0.5 ? { qty: below(50) } : { note: "theirs" });
      void fetched();
    },
    fetch: () => void fetched(),
    reload: () => {
      if (!mood.reloads) return;
      editor = reopened(editor);
    },
  };
  const often = [
    ...["type", "type", "type", "type", "undo", "undo", "redo", "bulk", "remove", "goTo"],
    ...["refuse", "accept", "lose", "elsewhere", "fetch", "reload"],
  ] as (keyof typeof acts)[];
  return {
    ...{ ...table, next, below, fetched, listed, act: () => acts[one(often)]() },
    get editor() {
      return editor;
    },
  };
}

async function sitting(seed: number, mood: Mood) {
  const sat = sit(seed, mood);
  const first = [...sat.server.rows.values()].map(({ name, qty: q, note: n }) => [name, q, n]);
  for (let count = 0; count < ACTS; count += 1) {
    sat.act();
    await pass(sat.below(400));
  }
  sat.server.lost = [];
  await pass(120_000);
  return { ...sat, editor: sat.editor, first };
}

const seeds = Array.from({ length: SITTINGS }, (_, index) => index + 1);
describe("any order of edits, deletions, undos, failures and reloads", () => {
  it.each(seeds)("the screen says what the server holds (%i)", async (seed) => {
    const { server, editor, listed, fetched } = await sitting(seed, {
      ...{ faults: true, others: true, reloads: true },
    });
    void fetched();
    await pass(2_000);

    const shown = listed().map((row) => editor.shown(String(row.id), row));
    expect(shown).toEqual([...server.rows.values()]);
    const open = editor.log.filter(({ state }) => state === "running" || state === "waiting");
    expect(open).toEqual([]);
    expect(editor.operations.isBusy).toBe(false);
    const stuck = editor.cells
      .where(({ state }) => !["error", "conflict"].includes(state))
      .filter(({ row }) => server.rows.has(Number(row)));
    expect(stuck).toEqual([]);
  });

  it.each(seeds)("undoing everything leads back to the beginning (%i)", async (seed) => {
    const { server, editor, first } = await sitting(seed, {
      ...{ faults: false, others: false, reloads: true },
    });

    for (let count = 0; count < ACTS && editor.history.done.length > 0; count += 1) {
      void editor.undo();
      if (count % 3 === 0) await pass(500);
    }
    await pass(120_000);

    const last = [...server.rows.values()].map(({ name, qty: q, note: n }) => [name, q, n]);
    expect(editor.history.done).toEqual([]);
    expect(last.sort()).toEqual(first.sort());
    expect(editor.cells.where(({ state }) => state === "conflict")).toEqual([]);
  });
});
