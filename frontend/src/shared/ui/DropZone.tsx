import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

/** Accepts a file that is dropped anywhere on its children. */
export function DropZone(props: {
  onFile: (file: File) => void;
  /** The effect of dropping, for people. */
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  const { onFile, label = "Drop the file to see what it would change", children } = props;
  const [over, setOver] = useState(false);
  // Entering a child also leaves its parent: only leaving the outermost element counts.
  const depth = useRef(0);
  const carriesFile = (event: DragEvent) => event.dataTransfer.types.includes("Files");

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the Import button of the inventory does the same by keyboard
    <div
      className={clsx("relative", props.className)}
      onDragEnter={(event) => {
        if (!carriesFile(event)) return;
        depth.current += 1;
        // A zone inside shows its own text.
        setOver(!event.defaultPrevented);
        event.preventDefault();
      }}
      onDragOver={(event) => carriesFile(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFile(event)) return;
        depth.current = 0;
        setOver(false);
        // An element inside handled it: a camera its picture, a dialog its file.
        if (event.defaultPrevented) return;
        event.preventDefault();
        const file = event.dataTransfer.files[0];
        if (file) onFile(file);
      }}
    >
      {children}
      <div
        aria-hidden="true"
        className={clsx(
          "z-dropdown pointer-events-none absolute inset-0 flex items-center justify-center rounded-card border-2 border-accent border-dashed bg-accent-tint/90 transition-opacity",
          over ? "opacity-100" : "opacity-0",
        )}
      >
        <span className="flex items-center gap-2 font-medium text-accent-ink">
          <FileUp className="size-5" />
          {label}
        </span>
      </div>
    </div>
  );
}
