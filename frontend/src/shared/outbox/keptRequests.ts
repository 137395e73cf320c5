/** The unsent requests of all persons in this browser: one record each, in IndexedDB. */
import type { DBSchema } from "idb";
import { databaseOf } from "@/shared/lib/database";
import type { Seat } from "@/shared/lib/person";
import type { Unsent } from "./unsent";

interface Records extends DBSchema {
  requests: { key: string; value: Unsent; indexes: { person: Seat } };
}

export class KeptRequests {
  private readonly database = databaseOf<Records>("brickstow_unsent", (database) => {
    database.createObjectStore("requests", { keyPath: "key" }).createIndex("person", "person");
  });

  close(): void {
    this.database.close();
  }

  /** In the order of the acts. */
  async of(person: Seat): Promise<Unsent[]> {
    const found = await (await this.database.open()).getAllFromIndex("requests", "person", person);
    return found.sort((a, b) => a.place - b.place);
  }

  /** Of all persons, in the order of the acts. */
  async all(): Promise<Unsent[]> {
    const found = await (await this.database.open()).getAll("requests");
    return found.sort((a, b) => a.place - b.place);
  }

  /**
   * Changes a record, or removes it (null), as it is now: tabs take turns. Resolves with the
   * changed one, null where there is none.
   */
  async change(key: string, change: (request: Unsent) => Unsent | null): Promise<Unsent | null> {
    const writing = (await this.database.open()).transaction("requests", "readwrite");
    const request = await writing.store.get(key);
    const next = request ? change(request) : null;
    if (next && next !== request) void writing.store.put(next);
    else if (!next && request) void writing.store.delete(key);
    await writing.done;
    return next;
  }

  /**
   * Puts requests in, in the place of those with `keys`: all or nothing. Resolves with false where
   * one of those has been started or is gone, and rejects where the browser has no room.
   */
  async swap(keys: readonly string[], next: readonly Unsent[]): Promise<boolean> {
    const writing = (await this.database.open()).transaction("requests", "readwrite");
    const before = await Promise.all(keys.map((key) => writing.store.get(key)));
    const isFree = before.every((one) => one && !one.isStarted);
    const acts = isFree
      ? [
          ...keys.map((key) => writing.store.delete(key)),
          ...next.map((one) => writing.store.put(one)),
        ]
      : [];
    // `done` alone tells of a full storage.
    await Promise.all([...acts, writing.done]);
    return isFree;
  }

  async drop(keys: readonly string[]): Promise<void> {
    const writing = (await this.database.open()).transaction("requests", "readwrite");
    await Promise.all([...keys.map((key) => writing.store.delete(key)), writing.done]);
  }
}
