/** Fetching a file with the bearer token and handing it to the browser to save. */
import { requestWith } from "./client";
import { readAnswer } from "./envelope";

type File = { name: string; content: Blob };

/** Fetches the file at `endpoint`; its name is the server's, or `fallbackName`. */
export async function fetchFile(endpoint: string, fallbackName: string): Promise<File> {
  return requestWith(endpoint, "GET", null, { headers: { Accept: "*/*" } }, (response) =>
    fileOf(response, fallbackName),
  );
}

/** Fetches the file and saves it. */
export async function download(endpoint: string, fallbackName: string): Promise<void> {
  save(await fetchFile(endpoint, fallbackName));
}

/** Asks for the file that `body` describes, and saves it. */
export async function downloadMade(
  endpoint: string,
  body: object,
  fallbackName: string,
): Promise<void> {
  const config = { headers: { Accept: "*/*" }, timeoutMs: 120_000 };
  save(
    await requestWith(endpoint, "POST", body, config, (response) => fileOf(response, fallbackName)),
  );
}

async function fileOf(response: Response, fallbackName: string): Promise<File> {
  if (!response.ok) await readAnswer(response); // throws what the envelope says
  const content = await response.blob();
  return { name: nameFrom(response.headers.get("Content-Disposition")) ?? fallbackName, content };
}

function save({ name, content }: File): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function nameFrom(header: string | null): string | null {
  const encoded = header?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return header?.match(/filename="?([^";]+)"?/i)?.[1] ?? null;
}
