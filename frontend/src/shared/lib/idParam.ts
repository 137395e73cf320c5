import * as z from "zod/mini";

const id = z.catch(z.nullable(z.coerce.number().check(z.int(), z.positive())), null);

/** The id in the address under `name`; null where it is missing or not an id. */
export function idParam(params: URLSearchParams, name: string): number | null {
  return id.parse(params.get(name));
}
