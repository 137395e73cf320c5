import { Check, LogIn, WifiOff } from "lucide-react";
import type { CellMark as Mark } from "./model";
import { checkedProgress } from "./operations";

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
      return <Progress of={mark.progress} />;
    case "saved":
      return (
        <>
          <Progress of={100} />
          <Check aria-hidden="true" className="absolute top-1 right-1 size-3 text-success" />
        </>
      );
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

/** How far the row is on its way: 0 when it is sent, 100 when it is stored. */
function Progress({ of }: { of: number }) {
  const value = checkedProgress(of);
  return (
    <span
      role="progressbar"
      aria-label={value < 100 ? "Saving" : "Saved"}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className="absolute inset-x-0 bottom-0 h-0.5 bg-accent-tint"
    >
      <span
        className="block h-full bg-accent transition-[width] duration-100"
        style={{ width: `${value}%` }}
      />
    </span>
  );
}
