/** What the browser does with passkeys: makes one, and answers with one, both as JSON. */

const CANCELLED = "No passkey was given: it was cancelled, or this device has none of yours.";

/** Whether this browser can. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** The answer of one of the passkeys that `options` names. Throws with a sentence. */
export const answerWithPasskey = (options: unknown): Promise<string> =>
  asJson(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as PublicKeyCredentialRequestOptionsJSON, // the server writes them
      ),
    }),
  );

/** A new passkey. Throws with a sentence. */
export const makePasskey = (options: unknown): Promise<string> =>
  asJson(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as PublicKeyCredentialCreationOptionsJSON, // the server writes them
      ),
    }),
  );

async function asJson(ask: () => Promise<Credential | null>): Promise<string> {
  const credential = await ask().catch((error: unknown) => {
    const isKept = error instanceof DOMException && error.name === "InvalidStateError";
    throw new Error(isKept ? "This device keeps a passkey of this account already." : CANCELLED);
  });
  if (credential === null) throw new Error(CANCELLED);
  return JSON.stringify(credential);
}
