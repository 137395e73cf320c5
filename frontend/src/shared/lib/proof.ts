/**
 * The proof that a person was asked once more, as a header: for what cannot be undone. It is kept in
 * memory alone, so that who reads this browser's storage does not have it.
 */
export const proof: Record<string, string> = {};

export function noteProof(text: string): void {
  proof["X-Proof"] = text;
}

let ask = async (): Promise<boolean> => false;

/** Asks the person, and resolves with whether there is a proof now. */
export const prove = (): Promise<boolean> => ask();

export function onProofAsked(lead: () => Promise<boolean>): void {
  ask = lead;
}
