/** Builds the address of a request from the path that a caller names. */
import { apiHost } from "@/shared/lib/pageMeta";

export type ParamValue = string | number | boolean | null | undefined;
export type Params = Record<string, ParamValue | readonly (string | number)[]>;

/** `batches`, `/batches`, `api/batches`, `/api/batches`: all are /api/batches. */
export function apiPath(endpoint: string): string {
  const path = `/${endpoint.trim().replace(/^\/+/, "")}`;
  return /^\/api(\/|$|\?)/.test(path) ? path : `/api${path}`;
}

/** The full address. Params that are null or undefined are left out; lists repeat the name. */
export function apiAddress(endpoint: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const single of Array.isArray(value) ? value : [value]) {
      if (single !== null && single !== undefined) query.append(name, String(single));
    }
  }
  const path = apiPath(endpoint);
  const text = query.toString();
  const glue = path.includes("?") ? "&" : "?";
  return `${apiHost()}${path}${text && glue + text}`;
}

/** `batches/{id}` with its ids filled in. */
export function fillPath(path: string, ids: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
}
