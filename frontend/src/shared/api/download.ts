/** Fetches files with the bearer token and passes them to the browser to save. */
import { type NamedFile, saveFile } from "@/shared/lib/saveFile";
import type { Params } from "./address";
import { requestWith } from "./client";
import { readAnswer } from "./envelope";
import { loaded } from "./transport";
import type { CallOf, PathOf } from "./wire";

/** Fetches the file at `endpoint`; its name is the server's, or `fallbackName`. */
export async function fetchFile(
  endpoint: string,
  fallbackName: string,
  params?: Params,
): Promise<NamedFile> {
  const config = { headers: { Accept: "*/*" }, params };
  return requestWith(endpoint, "GET", null, config, (response) => fileOf(response, fallbackName));
}

/** Fetches the file and saves it. */
export async function download(
  endpoint: string,
  fallbackName: string,
  params?: Params,
): Promise<void> {
  saveFile(await fetchFile(endpoint, fallbackName, params));
}

/** Asks for the file that `body` describes, and saves it. */
export async function downloadMade<Path extends PathOf<"post">>(
  path: Path,
  call: CallOf<"post", Path>,
  fallbackName: string,
): Promise<void> {
  const { body, filters: params } = call as { body: object; filters?: Params };
  const config = { headers: { Accept: "*/*" }, timeoutMs: 120_000, params };
  saveFile(
    await requestWith(path, "POST", body, config, (response) => fileOf(response, fallbackName)),
  );
}

async function fileOf(response: Response, fallbackName: string): Promise<NamedFile> {
  if (!response.ok) await readAnswer(response); // throws the envelope's error
  const content = await loaded(response.blob());
  return { name: nameFrom(response.headers.get("Content-Disposition")) ?? fallbackName, content };
}

function nameFrom(header: string | null): string | null {
  const encoded = header?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return header?.match(/filename="?([^";]+)"?/i)?.[1] ?? null;
}
