/**
 * What this browser keeps of a sitting that the server has not all of: the rows with their wishes,
 * and the calls whose outcome is not known, with their keys, so that they are sent again to the
 * letter and carried out once.
 */

import { difference, type Row, type Session } from "./session";

/** A call that was sent: what it was about, word for word, and its key. */
export type SentCall = { row: Row; key: string };

export type Kept = { rows: readonly Row[]; sent: readonly (readonly [string, SentCall])[] };

/** Rows that the server does not have as they are wanted; refused ones wait for the person. */
export function unsentRows(session: Session): Row[] {
  return session.rows.filter((row) => difference(row) !== null);
}

/** A row as it comes back: nothing of it is on its way any more. */
export const cameBack = (row: Row): Row => ({ ...row, sending: false, unsent: false });
