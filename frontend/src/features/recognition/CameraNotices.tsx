import { useEffect, useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Notice } from "@/shared/ui/states";
import type { Source } from "./model";
import type { Recognition } from "./recognizer";

/** A service that takes longer is said to be slow. */
const SLOW_MS = 2000;

/** Why no match comes, and what to do instead. `problem`: with the picture itself. */
export function CameraNotices(props: {
  recognition: Recognition;
  problem: string | null;
  unwatched: boolean;
  onAgain: (picture: Blob, source: Source) => void;
  onSearchBy: (search: "number" | "name") => void;
}) {
  const { recognition, problem, unwatched, onAgain, onSearchBy } = props;
  const isSlow = useSlow(recognition);
  return (
    <>
      {isSlow && (
        <Notice
          tone="warning"
          title="The recogniser is slow"
          actions={
            <Button size="sm" onClick={() => onSearchBy("number")}>
              Search by number
            </Button>
          }
        >
          Continue by number or name; the station does not wait for it.
        </Notice>
      )}
      {recognition.state === "failed" && !problem && (
        <Notice
          tone="warning"
          title="Not recognised"
          actions={
            <>
              {recognition.mayRepeat && (
                <Button size="sm" onClick={() => onAgain(recognition.picture, recognition.source)}>
                  Ask again
                </Button>
              )}
              <Button size="sm" onClick={() => onSearchBy("number")}>
                Search by number
              </Button>
            </>
          }
        >
          {recognition.text}
        </Notice>
      )}
      {problem && <Notice tone="warning">{problem}</Notice>}
      {unwatched && (
        <Notice tone="warning" title="The camera does not capture by itself">
          A part of the page did not load. Press Capture or Space for each part, or reload the page.
        </Notice>
      )}
    </>
  );
}

function useSlow(recognition: Recognition): boolean {
  const [slow, setSlow] = useState(false);
  const askedAt = recognition.state === "asking" ? recognition.askedAt : null;
  useEffect(() => {
    if (askedAt === null) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [askedAt]);
  return slow;
}
