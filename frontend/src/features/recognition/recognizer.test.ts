import type { Candidate } from "./model";
import { type Ask, createRecognizer } from "./recognizer";
import { makeCandidate } from "./testing/builders";

/** A recogniser whose answers come when the test says so. */
function held() {
  const asked: { signal: AbortSignal; answer: (found: Candidate[]) => void; fail: () => void }[] =
    [];
  const ask: Ask = (_picture, _lookup, signal) =>
    new Promise((resolve, reject) => {
      asked.push({ signal, answer: resolve, fail: () => reject(new Error("Out of order.")) });
    });
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
