/** Dotted paths into the client state, as types and at run time. */

import type * as z from "zod/mini";
import { memberOf } from "@/shared/lib/records";
import { type ClientState, type Persistence, persistence, stateSchema } from "./schema";

type PathsOf<State> = {
  [Key in keyof State & string]:
    | Key
    | (State[Key] extends readonly unknown[]
        ? never
        : State[Key] extends object
          ? `${Key}.${PathsOf<State[Key]>}`
          : never);
}[keyof State & string];

export type StatePath = PathsOf<ClientState>;

type At<State, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof State
    ? At<State[Head], Rest>
    : never
  : Path extends keyof State
    ? State[Path]
    : never;

export type ValueAt<Path extends StatePath> = At<ClientState, Path>;

/** Paths whose value has the given kind: booleans to toggle, lists to add to. */
export type PathsTo<Kind> = {
  [Path in StatePath]: ValueAt<Path> extends Kind ? Path : never;
}[StatePath];

export class StoreError extends Error {
  override readonly name = "StoreError";
}

type Shape = Record<string, z.ZodMiniType>;

function shapeOf(schema: z.ZodMiniType): Shape | null {
  const { def } = schema._zod as unknown as { def: { type: string; shape?: Shape } };
  return def.type === "object" ? (def.shape ?? null) : null;
}

/** The schema of the value at `path`. Throws StoreError for a path that is not in the schema. */
export function schemaAt(path: string): z.ZodMiniType {
  let schema: z.ZodMiniType = stateSchema;
  for (const step of path.split(".")) {
    const next: z.ZodMiniType | undefined = Object.entries(shapeOf(schema) ?? {}).find(
      ([name]) => name === step,
    )?.[1];
    if (!next) throw new StoreError(`Unknown state path: ${path}`);
    schema = next;
  }
  return schema;
}

/** Every path whose value persists, with its key. */
export function persistedPaths(): { path: StatePath; persistence: Persistence }[] {
  const walk = (schema: z.ZodMiniType, path: string): ReturnType<typeof persistedPaths> => {
    const own = persistence.get(schema);
    const here = own ? [{ path: path as StatePath, persistence: own }] : [];
    const below = Object.entries(shapeOf(schema) ?? {}).flatMap(([name, child]) =>
      walk(child, path ? `${path}.${name}` : name),
    );
    return [...here, ...below];
  };
  return walk(stateSchema, "");
}

export function readAt(state: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, step) => memberOf(value, step), state);
}

/** A copy of `state` with `value` at `path`; all other parts are shared. */
export function writeAt<State>(state: State, path: string, value: unknown): State {
  const [head = "", ...rest] = path.split(".");
  const inner = memberOf(state, head);
  return { ...state, [head]: rest.length ? writeAt(inner, rest.join("."), value) : value };
}
