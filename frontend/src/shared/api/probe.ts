/** Asks the server whether it is there. */
import { apiHost } from "@/shared/lib/pageMeta";
import { exchange } from "./transport";

const PROBE_MS = 4_000;

export async function probe(): Promise<boolean> {
  try {
    return await exchange(
      {
        address: `${apiHost()}/healthz`,
        // Of another origin's answer it is enough that there is one.
        init: { method: "GET", headers: {}, mode: "no-cors", cache: "no-store" },
        timeoutMs: PROBE_MS,
      },
      async ({ ok, type }) => ok || type === "opaque",
    );
  } catch {
    return false;
  }
}
