/** What is typed on the testing page, read into a request; and the same as a curl command. */
import { apiAddress, type Params } from "@/shared/api/address";
import { type Method, requestProblem } from "@/shared/api/requestChecks";

export type Typed = {
  method: string;
  endpoint: string;
  params: string;
  headers: string;
  body: string;
};

export type Trial = {
  method: Method;
  endpoint: string;
  params: Params;
  headers: Record<string, string>;
  body: object | null;
};

/** JSON as typed; text that is no JSON stays text, so that the request checks name it. */
function read(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The request that was typed, or the first request check that it fails. */
export function readTrial(typed: Typed): { trial: Trial } | { problem: string } {
  const { method, endpoint } = typed;
  const body = read(typed.body);
  const params = read(typed.params) ?? {};
  const headers = read(typed.headers) ?? {};
  const problem = requestProblem({ endpoint, method, body, customConfig: { params, headers } });
  if (problem) return { problem };
  // The checks have just established these shapes.
  return { trial: { method, endpoint, params, headers, body } as Trial };
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The request for a shell. The token is left out: what is pasted somewhere should hold none. */
export function asCurl({ method, endpoint, params, headers, body }: Trial): string {
  const lines = [
    `curl -X ${method} ${quote(apiAddress(endpoint, params))}`,
    `-H ${quote("Authorization: Bearer $ACCESS_TOKEN").replaceAll("'", '"')}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ];
  if (body) {
    lines.push(
      `-H ${quote("Content-Type: application/json")}`,
      `-d ${quote(JSON.stringify(body))}`,
    );
  }
  return lines.join(" \\\n  ");
}
