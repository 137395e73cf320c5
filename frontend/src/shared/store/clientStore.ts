/** The client state store: typed actions on a state that always matches its schema. */

import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { getSetting, removeSetting, setSetting } from "@/shared/lib/localSettings";
import { onPersonForgotten } from "@/shared/lib/person";
import { memberOf } from "@/shared/lib/records";
import {
  type PathsTo,
  persistedPaths,
  readAt,
  type StatePath,
  StoreError,
  schemaAt,
  type ValueAt,
  writeAt,
} from "./paths";
import { type ClientState, stateSchema } from "./schema";

type ListPath = PathsTo<readonly unknown[]>;
type EntryOf<Path extends ListPath> =
  ValueAt<Path> extends readonly (infer Entry)[] ? Entry : never;

const defaults: ClientState = stateSchema.parse({ itemBeingProcessed: {}, options: {} });
const persisted = persistedPaths();

function checked(path: string, value: unknown): unknown {
  const result = schemaAt(path).safeParse(value);
  if (result.success && value !== undefined) return result.data;
  const issue = result.error?.issues[0];
  const where = [path, ...(issue?.path ?? [])].join(".");
  const wanted = issue && "values" in issue ? `one of ${issue.values.join(", ")}` : undefined;
  const kind = issue && "expected" in issue ? issue.expected : issue?.message;
  throw new StoreError(`Invalid value for ${where}: expected ${wanted ?? kind}`);
}

function startingState(): ClientState {
  return persisted.reduce((state, { path, persistence }) => {
    const stored = getSetting(persistence.key);
    const result = schemaAt(path).safeParse(stored);
    return stored !== undefined && result.success ? writeAt(state, path, result.data) : state;
  }, defaults);
}

const state = createStore<ClientState>(startingState);

state.subscribe((now, before) => {
  for (const { path, persistence } of persisted) {
    const value = readAt(now, path);
    if (Object.is(value, readAt(before, path))) continue;
    if (Object.is(value, readAt(defaults, path))) removeSetting(persistence.key);
    else setSetting(persistence.key, value);
  }
});

function put(path: string, value: unknown): void {
  const fitting = checked(path, value);
  state.setState((current) => writeAt(current, path, fitting), true);
}

const fits = (entry: unknown, where: object) =>
  Object.entries(where).every(([name, value]) => Object.is(memberOf(entry, name), value));

/** Every action throws StoreError with the path for an unknown path or an invalid value. */
export const clientStore = {
  get: <Path extends StatePath>(path: Path): ValueAt<Path> => {
    schemaAt(path);
    return readAt(state.getState(), path) as ValueAt<Path>;
  },
  set: <Path extends StatePath>(path: Path, value: ValueAt<Path>): void => put(path, value),
  /** Resets to the default. */
  clear: (path: StatePath): void => {
    schemaAt(path);
    put(path, readAt(defaults, path));
  },
  toggle: (path: PathsTo<boolean>): void => put(path, !clientStore.get(path)),
  add: <Path extends ListPath>(path: Path, entry: EntryOf<Path>): void =>
    put(path, [...listAt(path), entry]),
  /** Changes fields of the entries whose values equal `where`; other fields stay. */
  update: <Path extends ListPath>(
    path: Path,
    where: Partial<EntryOf<Path>>,
    changes: Partial<EntryOf<Path>>,
  ): void =>
    put(
      path,
      listAt(path).map((entry) => (fits(entry, where) ? { ...Object(entry), ...changes } : entry)),
    ),
  remove: <Path extends ListPath>(path: Path, where: Partial<EntryOf<Path>>): void =>
    put(
      path,
      listAt(path).filter((entry) => !fits(entry, where)),
    ),
  subscribe: state.subscribe,
};

function listAt(path: ListPath): readonly unknown[] {
  return clientStore.get(path);
}

/** Subscribes a component to the value at `path`. */
export function useClientState<Path extends StatePath>(path: Path): ValueAt<Path> {
  return useStore(state, (current) => readAt(current, path) as ValueAt<Path>);
}

/** Reloads the stored values: after the settings were cleared, and in tests. */
export function reloadClientState(): void {
  state.setState(startingState(), true);
}

onPersonForgotten(reloadClientState);
