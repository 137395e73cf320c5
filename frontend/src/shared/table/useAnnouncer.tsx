import { type ReactNode, useCallback, useState } from "react";

/** Words for those who cannot see what changed: spoken when they are at rest, never shown. */
export function useAnnouncer(): { say: (text: string) => void; spoken: ReactNode } {
  const [told, setTold] = useState({ text: "", times: 0 });
  const say = useCallback(
    (text: string) => setTold(({ times }) => ({ text, times: times + 1 })),
    [],
  );
  return {
    say,
    spoken: (
      <div aria-live="polite" className="sr-only">
        {/* The same words twice are spoken twice. */}
        <span key={told.times}>{told.text}</span>
      </div>
    ),
  };
}
