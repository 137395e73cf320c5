/** Checks a request before it is sent, with the specification's texts. */
import { memberOf } from "@/shared/lib/records";
import { RequestCheckError } from "./errors";

export const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type Method = (typeof METHODS)[number];

type Unchecked = { endpoint: unknown; method: unknown; body: unknown; customConfig: unknown };

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first error of the request, or null. */
export function requestProblem({ endpoint, method, body, customConfig }: Unchecked): string | null {
  if (typeof endpoint !== "string" || endpoint.trim() === "") {
    return "Endpoint must be a non-empty string";
  }
  if (!METHODS.some((one) => one === method)) {
    return `Invalid HTTP method: ${String(method)}. Must be one of: ${METHODS.join(", ")}`;
  }
  if (body !== null && typeof body !== "object") {
    return "Request body must be null, an object, or FormData";
  }
  if (customConfig === null) return null;
  if (!isObject(customConfig)) return "customConfig must be null or an object";
  const params = memberOf(customConfig, "params");
  const headers = memberOf(customConfig, "headers");
  if (params !== undefined && !isObject(params)) return "customConfig.params must be an object";
  if (headers !== undefined && !isObject(headers)) return "customConfig.headers must be an object";
  return null;
}

/** Throws RequestCheckError for the first error of the request. */
export function checkRequest(request: Unchecked): void {
  const problem = requestProblem(request);
  if (problem) throw new RequestCheckError(problem);
}

/** An access token is a string with something in it. */
export function checkAccessToken(token: unknown): asserts token is string {
  if (typeof token !== "string" || token.trim() === "") {
    throw new RequestCheckError("Invalid access token format");
  }
}
