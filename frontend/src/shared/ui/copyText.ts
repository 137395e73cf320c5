import { toast } from "./toast";

/** Copies a text to the clipboard. False: the browser refused, and a toast shows it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Plain http has no clipboard, except on localhost.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast.error("The browser did not let the text be copied.");
    return false;
  }
}
