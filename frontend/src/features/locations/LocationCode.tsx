import { useMemo, useState } from "react";
import { labelText } from "@/shared/scanner/codes";
import { Dialog } from "@/shared/ui/Dialog";
import type { Location } from "./model";
import { drawQr } from "./qrPath";

/** The code of a location as its label carries it, to be scanned from the screen. */
export function LocationCode({ location }: { location: Pick<Location, "name" | "code"> }) {
  const [isLarge, setLarge] = useState(false);
  if (location.code === "") {
    return <span className="text-muted">is given with its first label</span>;
  }
  const text = labelText(location.code);
  return (
    <>
      <button
        type="button"
        aria-label={`Show the code of ${location.name} large`}
        className="block cursor-zoom-in overflow-hidden rounded-control border border-line"
        onClick={() => setLarge(true)}
      >
        <Code text={text} className="size-16" />
      </button>
      {isLarge && (
        <Dialog
          onClose={() => setLarge(false)}
          title={location.name}
          description="What its label says to a scanner. Scan it from here."
          size="sm"
        >
          <figure className="flex flex-col items-center gap-2">
            <Code text={text} className="w-full max-w-72 rounded-control" />
            <figcaption className="break-all text-center font-mono text-muted text-xs">
              {text}
            </figcaption>
          </figure>
        </Dialog>
      )}
    </>
  );
}

/** Dark on light in the dark theme too: few scanners read it otherwise. */
function Code({ text, className }: { text: string; className: string }) {
  const { side, path } = useMemo(() => drawQr(text), [text]);
  return (
    <svg
      role="img"
      aria-label={`QR code ${text}`}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={side} height={side} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
