import { type ReactNode, useCallback, useState } from "react";

/** A hidden live region for screen readers; debounced. */
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
        {/* Makes the same text twice in a row be read twice. */}
        <span key={told.times}>{told.text}</span>
      </div>
    ),
  };
}
