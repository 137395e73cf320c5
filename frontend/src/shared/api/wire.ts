/** The types that the API takes and returns, by path and method, from the generated schema. */
import type { components, paths } from "./schema";

/** A type of the schema by its name: `Schema<"BatchRow">`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

export type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths with this method, without `/api/`: `"batches/{id}"`. */
export type PathOf<V extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<V, { responses: unknown }>
    ? Path extends `/api/${infer Short}`
      ? Short
      : never
    : never;
}[keyof paths];

type OperationOf<V extends Verb, Path extends PathOf<V>> = paths[`/api/${Path}`][V];

type ParametersOf<O> = O extends { parameters: infer Parameters } ? Parameters : never;

/** Ids may be passed as numbers. */
type InPath<O> =
  ParametersOf<O> extends { path: infer Names }
    ? { path: { [Name in keyof Names]: string | number } }
    : { path?: never };

/** The parameters behind the `?`. A list repeats its name; undefined and null are left out. */
export type QueryOf<Path extends PathOf<"get">> = QueryIn<OperationOf<"get", Path>>;

/** The names of these parameters: what a table of the list may be filtered by. */
export type ParamOf<Path extends PathOf<"get">> = keyof QueryOf<Path> & string;

type QueryIn<O> =
  ParametersOf<O> extends { query?: infer Names }
    ? { [Name in keyof Names]: Sent<Names[Name]> | null }
    : never;

/** Callers may pass read-only values. */
type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
    : Value;

type InQuery<O> =
  ParametersOf<O> extends { query: object }
    ? { query: QueryIn<O>; filters?: Filters }
    : ParametersOf<O> extends { query?: never }
      ? { query?: never; filters?: never }
      : { query?: QueryIn<O>; filters?: Filters };

/** Filters whose names a table computes at run time. The server refuses unknown names. */
export type Filters = Readonly<Record<string, string | number | undefined>>;

type ContentOf<O> = O extends { requestBody?: infer Requested }
  ? [NonNullable<Requested>] extends [never]
    ? never
    : NonNullable<Requested> extends { content: infer Content }
      ? Content
      : never
  : never;

/** A form's files are `string` in the schema. */
type FormOf<Fields> = {
  [Name in keyof Fields]: string extends Fields[Name]
    ? Fields[Name] | Blob
    : string[] extends Fields[Name]
      ? Fields[Name] | readonly Blob[]
      : Fields[Name];
};

type InBody<O> = [ContentOf<O>] extends [never]
  ? { body?: never; form?: never }
  : ContentOf<O> extends { "application/json": infer Body }
    ? O extends { requestBody: object }
      ? { body: Sent<Body>; form?: never }
      : { body?: Sent<Body>; form?: never }
    : ContentOf<O> extends { "multipart/form-data": infer Fields }
      ? { form: FormOf<Fields>; body?: never }
      : never;

/** The parameters of one call: the ids in its path, its query and its body, typed by the schema. */
export type CallOf<V extends Verb, Path extends PathOf<V>> = InPath<OperationOf<V, Path>> &
  InQuery<OperationOf<V, Path>> &
  InBody<OperationOf<V, Path>>;

/** The JSON that a path takes. */
export type BodyOf<V extends Verb, Path extends PathOf<V>> =
  ContentOf<OperationOf<V, Path>> extends { "application/json": infer Body } ? Sent<Body> : never;

/** A row of a successful answer. Where an answer may be a job instead (202), it is in the union. */
export type RowOf<V extends Verb, Path extends PathOf<V>> = SuccessIn<OperationOf<V, Path>>;

type SuccessIn<O> = O extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201 | 202)]: Responses[Status] extends {
        content: { "application/json": { data: readonly (infer Row)[] } };
      }
        ? Row
        : never;
    }[keyof Responses & (200 | 201 | 202)]
  : never;
