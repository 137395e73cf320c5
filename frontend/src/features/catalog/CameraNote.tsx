import { Camera } from "lucide-react";
import type { ReactNode } from "react";

/** The camera's place. It says what is true today instead of drawing a camera that does nothing. */
export function CameraNote({ children }: { children?: ReactNode }) {
  return (
    <div className="flex items-start gap-3 rounded-card border border-edge/60 border-dashed bg-sunken p-4">
      <Camera aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-col gap-3">
        <p className="text-muted">
          The camera and recognition are not part of this version yet. Search by number and by name
          works.
        </p>
        {children}
      </div>
    </div>
  );
}
