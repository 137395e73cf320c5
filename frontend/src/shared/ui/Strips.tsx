import { clsx } from "clsx";
import { CloudOff, RefreshCw } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { formatClock } from "@/shared/lib/format";
import { useLine } from "@/shared/lib/line";
import { useNewVersion } from "@/shared/lib/newVersion";
import { Button } from "./Button";
import { drawn, type Icon } from "./icon";

/** A line that is lost for a moment is not worth a word. */
const TOLD_AFTER_MS = 2_000;

/** What concerns every page, in a line below the bar: no connection, a new version. */
export function Strips() {
  const reload = useNewVersion();
  return (
    <>
      <LineStrip />
      {reload && (
        <Strip icon={RefreshCw} className="bg-info-tint text-info">
          <span>A new version is ready.</span>
          <Button size="sm" onClick={reload}>
            Reload
          </Button>
        </Strip>
      )}
    </>
  );
}

function LineStrip() {
  const { awaySince, asOf } = useLine();
  const [now, setNow] = useState(Date.now);
  const isTold = awaySince !== null && now - awaySince >= TOLD_AFTER_MS;
  useEffect(() => {
    if (awaySince === null) return;
    const rest = awaySince + TOLD_AFTER_MS - Date.now();
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, rest));
    return () => clearTimeout(timer);
  }, [awaySince]);
  return (
    <div role="status">
      {isTold && (
        <Strip icon={CloudOff} className="bg-warning-tint text-warning">
          <span className="font-medium">No connection to the server.</span>
          {asOf !== null && <span>You see this page as of {formatClock(asOf, now)}.</span>}
        </Strip>
      )}
    </div>
  );
}

function Strip(props: { icon: Icon; className: string; children: ReactNode }) {
  return (
    <div
      className={clsx(
        "flex flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5 text-sm sm:px-6",
        props.className,
      )}
    >
      {drawn(props.icon, "size-4 shrink-0")}
      {props.children}
    </div>
  );
}
