/** Files that the browser saves. */

export type NamedFile = { name: string; content: Blob };

/** Passes a file to the browser to save. */
export function saveFile({ name, content }: NamedFile): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
