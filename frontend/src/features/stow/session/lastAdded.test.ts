import { makeAdded, makeDraft, makeLastAdded, withAdded, withQuantity } from "../testing/builders";
import { changed, emptySession, withEarlier } from "./session";
import { lastAddedOf } from "./sitting";

const NOW = Date.UTC(2026, 0, 31, 19, 30);
const before = makeLastAdded({ batchId: 7, batchName: "Attic finds" });

describe("lastAddedOf", () => {
  it("tells the newest row, and counts on from what the batch held", () => {
    const session = withAdded(emptySession, makeAdded({ quantity: 2 }), NOW);

    expect(lastAddedOf(session, before)).toEqual({
      batchId: 7,
      batchName: "Attic finds",
      totalItemsAdded: 42,
      quantity: 2,
      itemName: "Brick 2 x 4",
      itemNumber: "3001",
      itemType: "PART",
      color: "Red",
      timestamp: "2026-01-31T19:30:00.000Z",
    });
  });

  it("counts each batch by itself", () => {
    const first = withAdded(emptySession, makeAdded({ quantity: 3 }), NOW);
    const draft = makeDraft({ batchId: 8, batchName: "Fair", batchPieces: 0 });
    const session = withAdded(first, makeAdded({ key: "b", draft, quantity: 2 }), NOW);

    expect(lastAddedOf(session, before)).toMatchObject({ batchName: "Fair", totalItemsAdded: 2 });
  });

  it("goes by what the batch held when it was first added to", () => {
    const first = withAdded(emptySession, makeAdded({ quantity: 3 }), NOW);
    const draft = makeDraft({ batchPieces: 43 });
    const session = withAdded(first, makeAdded({ key: "b", draft, quantity: 2 }), NOW);

    expect(lastAddedOf(session, before)).toMatchObject({ totalItemsAdded: 45 });
  });

  it("is what was kept again when everything was taken back", () => {
    const session = withAdded(emptySession, makeAdded({ quantity: 0 }), NOW);

    expect(lastAddedOf(session, before)).toBe(before);
  });

  it("follows a change of a row from before", () => {
    const [row] = withAdded(emptySession, makeAdded({ key: "old", quantity: 4 }), NOW).rows;
    if (!row) throw new Error("the row is missing");
    const updatedAt = "2026-01-31T19:00:00Z";
    const known = { id: 99, quantity: 4, binId: 3, isStowed: false, updatedAt };
    const session = withEarlier(emptySession, [{ ...row, known, startedWith: 4 }]);

    const more = withQuantity(session, "old", 5, NOW);

    expect(lastAddedOf(more, before)).toMatchObject({ quantity: 5, totalItemsAdded: 41 });
  });

  it("neither tells nor counts what the server refused", () => {
    const problem = { what: "add", code: "", text: "no", canOverride: false, fits: null } as const;
    const two = withAdded(
      withAdded(emptySession, makeAdded({ quantity: 3 }), NOW),
      makeAdded({ key: "b", quantity: 5 }),
      NOW,
    );

    expect(
      lastAddedOf(
        changed(two, "b", () => ({ problem })),
        null,
      ),
    ).toMatchObject({
      quantity: 3,
      totalItemsAdded: 43,
    });
  });
});
