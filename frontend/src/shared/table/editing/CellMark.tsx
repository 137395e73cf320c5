import { Check, LogIn, WifiOff } from "lucide-react";
import type { CellMark as Mark } from "./model";

/**
 * What a cell shows of its saving: a dot, a bar while it is on its way, a tick; a red corner with
 * its reason; an amber one where somebody else changed it; a sign while there is no connection.
 */
export function CellMark({ mark }: { mark: Mark }) {
  switch (mark.state) {
    case "pending":
      return (
        <span className="absolute top-1 right-1 size-1.5 rounded-full bg-accent">
          <span className="sr-only">Saving</span>
        </span>
      );
    case "saving":
      return (
        <span className="absolute inset-x-0 bottom-0 h-0.5 bg-accent-tint">
          <span className="block h-full bg-accent" style={{ width: `${mark.progress}%` }} />
          <span className="sr-only">Saving</span>
        </span>
      );
    case "saved":
      return <Check aria-hidden="true" className="absolute top-1 right-1 size-3 text-success" />;
    case "waiting": {
      const WaitSign = mark.waitsFor === "line" ? WifiOff : LogIn;
      return (
        <span
          title={
            mark.waitsFor === "line"
              ? "No connection: waits, and is sent when it is back"
              : "Your session has ended: it is sent when you have signed in again"
          }
        >
          <WaitSign aria-hidden="true" className="absolute top-1 right-1 size-3 text-warning" />
          <span className="sr-only">
            {mark.waitsFor === "line" ? "Waits for the connection" : "Waits until you sign in"}
          </span>
        </span>
      );
    }
    case "conflict":
      return (
        <span
          title={`Changed elsewhere: you wrote ${mark.mine || "nothing"}. Enter decides.`}
          data-conflict=""
          className="absolute top-0 right-0 size-0 cursor-pointer border-t-10 border-t-warning border-l-10 border-l-transparent"
        >
          <span className="sr-only">Changed elsewhere: you wrote {mark.mine}</span>
        </span>
      );
    case "error":
      return (
        <span
          title={mark.message}
          className="absolute top-0 right-0 size-0 border-t-8 border-t-danger border-l-8 border-l-transparent"
        >
          <span className="sr-only">{mark.message}</span>
        </span>
      );
  }
}
