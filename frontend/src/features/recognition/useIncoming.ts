import { type DragEvent, useEffect, useEffectEvent, useState } from "react";

/** Pictures that are pasted anywhere on the page, or dropped on the pane. */
export function useIncoming(onFile: (file: File) => void, onNoPicture: () => void) {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const file = pictureOf(event.clipboardData);
      if (!file) return;
      event.preventDefault();
      take(file);
    };
    window.addEventListener("paste", onPaste);
    return () => window.removeEventListener("paste", onPaste);
  }, []);
  const onDragOver = (event: DragEvent) => {
    if (!bringsFile(event.dataTransfer)) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = pictureOf(event.dataTransfer);
    if (file) onFile(file);
    else onNoPicture();
  };
  return { isOver, drop: { onDragOver, onDragLeave: () => setOver(false), onDrop } };
}

/** The first picture of a drop or paste; null where there is none. */
function pictureOf(transfer: DataTransfer | null): File | null {
  const files = [...(transfer?.files ?? [])];
  return files.find(mayBePicture) ?? null;
}

/** Whether something is being dragged that may be a picture: its files cannot be read yet. */
const bringsFile = (transfer: DataTransfer | null): boolean =>
  [...(transfer?.types ?? [])].includes("Files");

/** By type or name; what it really is, the server decides by its content. */
function mayBePicture({ type, name }: File): boolean {
  return type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif)$/i.test(name);
}
