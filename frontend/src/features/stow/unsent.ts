/**
 * The unsent part of a session in this browser: the rows with their wishes, and the calls without a
 * known result, with their keys, so that they are repeated unchanged and carried out once.
 */

import { difference, type Row, type Session } from "./session";

/** A sent call: its body unchanged, and its key. */
export type SentCall = { row: Row; key: string };

export type Kept = { rows: readonly Row[]; sent: readonly (readonly [string, SentCall])[] };

/** Rows that differ on the server; refused ones wait for the person. */
export function unsentRows(session: Session): Row[] {
  return session.rows.filter((row) => difference(row) !== null);
}

/** A row after a reload: none of its calls is running. */
export const cameBack = (row: Row): Row => ({ ...row, sending: false, unsent: false });
