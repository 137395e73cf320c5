import { type DBSchema, type IDBPDatabase, openDB } from "idb";

type Opened<Schema extends DBSchema> = {
  open: () => Promise<IDBPDatabase<Schema>>;
  close: () => void;
};

/** A database of this browser, which is opened when it is needed. `make` makes its stores. */
export function databaseOf<Schema extends DBSchema>(
  name: string,
  make: (database: IDBPDatabase<Schema>) => void,
): Opened<Schema> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const close = () => {
    const closing = opened;
    opened = null;
    closing?.then(
      (database) => database.close(),
      () => undefined,
    );
  };
  const open = () => {
    if (!opened) {
      // Another page deletes the database, or has a newer version.
      opened = openDB<Schema>(name, 1, { upgrade: make, blocking: close, terminated: close });
      opened.catch(close);
    }
    return opened;
  };
  return { open, close };
}
