import type { Candidate } from "./model";
import { type Ask, type Asking, createRecognizer } from "./recognizer";
import { makeCandidate } from "./testing/builders";

/** Recognisers whose answers come when the test says so: our own, and one outside if it is asked. */
function held(...others: string[]) {
  type Held = { signal: AbortSignal; answer: (found: Candidate[]) => void; fail: () => void };
  const asked: Held[] = [];
  const answering = (name: string, signal: AbortSignal): Asking => ({
    name,
    answer: new Promise((resolve, reject) => {
      asked.push({ signal, answer: resolve, fail: () => reject(new Error("Out of order.")) });
    }),
  });
  const ask: Ask = (_picture, _lookup, signal) => {
    const own = answering("Brickstow", signal);
    const [other] = others.map((name) => answering(name, signal));
    return other ? [own, other] : [own];
  };
  const recognizer = createRecognizer(ask);
  const show = (now = 0) =>
    recognizer.identify(new Blob(["x"]), { lookup: "PART", source: "webcam", now });
  const state = () => recognizer.store.getState();
  return { recognizer, asked, show, state };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe("a recogniser", () => {
  it("finds candidates", async () => {
    const { asked, show, state } = held();
    show(7);

    asked[0]?.answer([makeCandidate()]);
    await settled();

    expect(state()).toMatchObject({ state: "found", askedAt: 7, source: "webcam" });
  });

  it("ends the one in flight when the next picture comes, and hears no late answer", async () => {
    const { asked, show, state } = held();
    show();
    show();

    asked[0]?.answer([makeCandidate({ item_number: "late" })]);
    await settled();

    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked[1]?.signal.aborted).toBe(false);
    expect(state().state).toBe("asking");
  });

  it("forgets a part that was lifted, even if the answer comes after all", async () => {
    const { asked, show, state, recognizer } = held();
    show();

    recognizer.cancel();
    asked[0]?.answer([makeCandidate()]);
    await settled();

    expect(asked[0]?.signal.aborted).toBe(true);
    expect(state()).toEqual({ state: "idle" });
  });

  it("tells a picture of nothing from a failure", async () => {
    const { asked, show, state } = held();
    show();
    asked[0]?.answer([]);
    await settled();
    const none = state();
    show();
    asked[1]?.fail();
    await settled();

    expect(none).toEqual({ state: "none", source: "webcam", picture: expect.any(Blob) });
    expect(state()).toMatchObject({ state: "failed", text: "Out of order." });
  });
});

describe("two recognisers", () => {
  const brick = makeCandidate({ score: 0.6, capture: "signed" });
  const plate = makeCandidate({ id: 2, item_id: 2, item_number: "3020", score: 0.3 });
  const outside = { provider: "Brickognize", listing_id: "res-9", score: 0.95 };
  const numbers = (rows: readonly Candidate[]) => rows.map(({ item_number }) => item_number);
  const begin = () => {
    const both = held("Brickognize");
    both.show();
    const [own, other] = both.asked;
    if (!own || !other) throw new Error("Two are asked.");
    return { ...both, own, other };
  };
  const found = (state: ReturnType<ReturnType<typeof held>["state"]>) => {
    if (state.state !== "found") throw new Error(`It is ${state.state}.`);
    return state;
  };

  it("show ours at once, and what the other names behind it when it comes", async () => {
    const { own, other, state } = begin();
    own.answer([plate, brick]);
    await settled();
    const first = found(state());
    other.answer([
      makeCandidate({ ...outside, id: 7, item_id: 7, item_number: "3002" }),
      makeCandidate({ ...outside, item_number: "3001" }),
    ]);
    await settled();
    const second = found(state());

    expect(numbers(first.candidates)).toEqual(["3020", "3001"]);
    expect(first.other).toEqual({ name: "Brickognize", state: "asked", problem: "" });
    expect(numbers(second.candidates)).toEqual(["3020", "3001"]);
    expect(numbers(second.later)).toEqual(["3002"]);
    expect(second).toMatchObject({ isMore: true, other: { state: "answered" } });
    expect(second.candidates[1]).toMatchObject({
      provider: "Brickstow, Brickognize",
      listing_id: "res-9",
      score: 0.95,
      capture: "signed",
    });
  });

  it("take it from ours that no part is there, whatever the other names", async () => {
    const { own, other, state } = begin();
    own.answer([
      makeCandidate({ presence: "NOTHING", id: null, item_id: null, item_number: "zz9" }),
    ]);
    other.answer([makeCandidate(outside)]);
    await settled();

    expect(found(state()).candidates).toMatchObject([{ item_number: "3001", presence: "NOTHING" }]);
  });

  it("wait for ours where the other is the first", async () => {
    const { own, other, state } = begin();
    other.answer([makeCandidate(outside)]);
    await settled();
    const before = state().state;
    own.answer([brick]);
    await settled();

    expect(before).toBe("asking");
    expect(found(state())).toMatchObject({
      isMore: false,
      candidates: [{ provider: "Brickstow, Brickognize" }],
    });
  });

  it("keep ours where the other fails, and say so", async () => {
    const { own, other, state } = begin();
    own.answer([brick]);
    await settled();
    other.fail();
    await settled();

    expect(found(state())).toMatchObject({
      candidates: [{ provider: "Brickstow" }],
      other: { name: "Brickognize", state: "failed", problem: "Out of order." },
    });
  });

  it.each([
    ["fails", (own: { fail: () => void }) => own.fail(), "failed"],
    ["names nothing", (own: { answer: (rows: Candidate[]) => void }) => own.answer([]), "answered"],
  ])("leave it to the other where ours %s", async (_name, settle, became) => {
    const { own, other, state } = begin();
    settle(own);
    await settled();
    const before = state().state;
    other.answer([makeCandidate(outside)]);
    await settled();

    expect(before).toBe("asking");
    expect(found(state())).toMatchObject({
      candidates: [{ provider: "Brickognize" }],
      other: { name: "Brickstow", state: became },
    });
  });

  it("show what the catalogue does not have where nobody names another", async () => {
    const { own, other, state } = begin();
    own.answer([makeCandidate({ id: null, item_id: null, item_number: "zz9" })]);
    other.answer([]);
    await settled();

    expect(numbers(found(state()).candidates)).toEqual(["zz9"]);
  });

  it("are both forgotten with the part: a late answer belongs to nobody", async () => {
    const { own, other, state, recognizer } = begin();
    own.answer([brick]);
    await settled();
    recognizer.cancel();
    other.answer([makeCandidate(outside)]);
    await settled();

    expect(other.signal.aborted).toBe(true);
    expect(state()).toEqual({ state: "idle" });
  });
});
