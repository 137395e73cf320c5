import { CircleAlert, CloudUpload } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { counted, formatCount, formatWhen } from "@/shared/lib/format";
import { outbox } from "@/shared/outbox/theOutbox";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import { openUnsent } from "./opened";

/** What is sent within this time is not worth a word. */
const SOON_MS = 2_000;

/** What waits for longer than a moment, and what was refused. */
function useUnsent() {
  const requests = useStore(outbox.store, (state) => state.requests);
  const isAway = useStore(outbox.store, (state) => state.waitsFor !== null);
  const waiting = requests.filter(({ refusal }) => !refusal);
  const refused = requests.length - waiting.length;
  const [first] = waiting;
  const since = first?.since ?? 0;
  const [now, setNow] = useState(Date.now);
  const isLate = isAway || now - since >= SOON_MS;
  useEffect(() => {
    if (!since || isLate) return;
    const timer = setTimeout(() => setNow(Date.now()), SOON_MS - (Date.now() - since));
    return () => clearTimeout(timer);
  }, [since, isLate]);
  return { unsent: isLate ? waiting.length : 0, refused, first };
}

function wordsOf({ unsent, refused }: ReturnType<typeof useUnsent>): string {
  const parts = [
    unsent > 0 && `${formatCount(unsent)} unsent`,
    refused > 0 && `${formatCount(refused)} refused`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** The count in the bar; it opens the list. */
export function UnsentCount() {
  const what = useUnsent();
  const words = wordsOf(what);
  if (!words) return null;
  const Icon = what.refused > 0 ? CircleAlert : CloudUpload;
  return (
    <Button
      size="sm"
      className={what.refused > 0 ? "text-danger!" : "text-warning!"}
      icon={<Icon aria-hidden="true" className="size-3.5 shrink-0" />}
      onClick={openUnsent}
    >
      {words}
    </Button>
  );
}

/** The same on a page, where it is the first thing to know. */
export function UnsentNotice() {
  const what = useUnsent();
  const words = wordsOf(what);
  if (!words) return null;
  const { unsent, refused, first } = what;
  return (
    <div className="pb-4">
      <Notice
        tone={refused > 0 ? "danger" : "warning"}
        title={words}
        actions={
          <Button size="sm" onClick={openUnsent}>
            Show
          </Button>
        }
      >
        {unsent > 0 &&
          first &&
          `The oldest since ${formatWhen(new Date(first.since).toISOString(), Date.now())}. What you did is kept on this computer and sent when the server answers. `}
        {refused > 0 &&
          `${counted(refused, "change")} refused: decide on ${refused === 1 ? "it" : "them"} here.`}
      </Notice>
    </div>
  );
}
