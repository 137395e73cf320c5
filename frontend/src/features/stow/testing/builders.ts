/** A minimal row of a session; tests set the fields that matter. */

import type { Destination } from "../model";
import {
  type Added,
  acted,
  type Draft,
  type Session,
  withChanges,
  withRow,
} from "../session/session";
import type { LastAdded } from "../session/sitting";

export function makeDraft(given: Partial<Draft> = {}): Draft {
  return {
    batchId: 7,
    batchName: "Attic finds",
    batchPieces: 40,
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

export function makeDestination(given: Partial<Destination> = {}): Destination {
  return {
    id: 1,
    name: "A-01",
    qty_on_hand: 0,
    lastSold: "unknown",
    lastSoldDate: null,
    recommended: false,
    reason: "empty",
    available_item_count: null,
    item_count: 0,
    max_item_count: null,
    stored_weight: "0.0000",
    unknown_weight_count: 0,
    max_total_weight: null,
    inventory_container_type_name: null,
    ...given,
  };
}

/** The session after an add. */
export function withAdded(session: Session, added: Added, now: number): Session {
  return withQuantity(withRow(session, added, now), added.key, added.quantity, now);
}

/** The session after a change of a quantity. */
export function withQuantity(session: Session, key: string, quantity: number, now: number) {
  return withChanges(acted(session, now), [{ row: key, before: 0, after: quantity }]);
}

/** The item that was added last, the day before. */
export const makeLastAdded = (given: Pick<LastAdded, "batchId" | "batchName">): LastAdded => ({
  totalItemsAdded: 40,
  quantity: 4,
  itemName: "Plate 1 x 2",
  itemNumber: "3023",
  itemType: "PART",
  color: "Black",
  timestamp: "2026-01-30T10:00:00.000Z",
  ...given,
});
