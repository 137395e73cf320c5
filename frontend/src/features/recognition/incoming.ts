/** Pictures that come in by drop or paste. */

/** The first picture of a drop or paste; null where there is none. */
export function pictureOf(transfer: DataTransfer | null): File | null {
  const files = [...(transfer?.files ?? [])];
  return files.find(mayBePicture) ?? null;
}

/** Whether something is being dragged that may be a picture: its files cannot be read yet. */
export const bringsFile = (transfer: DataTransfer | null): boolean =>
  [...(transfer?.types ?? [])].includes("Files");

/** By type or name; what it really is, the server decides by its content. */
function mayBePicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif)$/i.test(name);
}
