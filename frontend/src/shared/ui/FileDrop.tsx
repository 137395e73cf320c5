import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useState } from "react";

/**
 * An area to drop one file on, or several with `onFiles`, or to choose them from. A wrong file type
 * is refused with a message.
 */
export function FileDrop(props: {
  label: string;
  hint?: string;
  /** Accepted suffixes: [".bsx", ".xml"]. Without them, the server decides from the contents. */
  suffixes?: readonly string[];
  onFile?: (file: File) => void;
  onFiles?: (files: readonly File[]) => void;
  disabled?: boolean;
}) {
  const { label, hint, suffixes, onFile, onFiles, disabled } = props;
  const id = useId();
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (!file || !files || disabled) return;
    const taken = onFiles ? [...files] : [file];
    const wrong = taken.find(
      ({ name }) => suffixes && !suffixes.some((suffix) => name.toLowerCase().endsWith(suffix)),
    );
    if (wrong) {
      setRefusal(`${wrong.name} is not a ${suffixes?.join(" or ")} file.`);
    } else {
      setRefusal(null);
      onFiles?.(taken);
      onFile?.(file);
    }
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };

  return (
    <div>
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={clsx(
          "flex cursor-pointer flex-col items-center gap-1 rounded-card border border-dashed px-4 py-8 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent",
          over ? "border-accent bg-accent-tint" : "border-edge bg-sunken hover:bg-hover",
          disabled && "pointer-events-none opacity-55",
        )}
      >
        <FileUp aria-hidden="true" className="size-6 text-muted" />
        <span className="font-medium">{label}</span>
        {hint && <span className="text-muted text-xs">{hint}</span>}
        <input
          id={id}
          type="file"
          multiple={Boolean(onFiles)}
          accept={suffixes?.join(",")}
          disabled={disabled}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
          className="sr-only"
        />
      </label>
      {refusal && (
        <p role="alert" className="mt-1.5 text-danger text-xs">
          {refusal}
        </p>
      )}
    </div>
  );
}
