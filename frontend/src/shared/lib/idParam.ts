import * as z from "zod/mini";

const id = z.catch(z.nullable(z.coerce.number().check(z.int(), z.positive())), null);

/** The id that an address names under `name`, or null for none and for what is no id. */
export function idParam(params: URLSearchParams, name: string): number | null {
  return id.parse(params.get(name));
}
