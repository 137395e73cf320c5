/** The least that a row of a sitting needs; a test names what it is about. */
import type { Added, Draft } from "../session";

export function makeDraft(given: Partial<Draft> = {}): Draft {
  return {
    batchId: 7,
    batchName: "Attic finds",
    lotId: 10,
    itemNumber: "3001",
    itemName: "Brick 2 x 4",
    itemType: "PART",
    imageUrl: null,
    colorId: 5,
    colorName: "Red",
    colorHtml: "#C91A09",
    condition: "U",
    price: "0.1200",
    ...given,
  };
}

export function makeAdded(given: Partial<Added> = {}): Added {
  return {
    key: "a",
    draft: makeDraft(),
    quantity: 1,
    bin: { id: 3, name: "A-01" },
    stow: false,
    ...given,
  };
}
