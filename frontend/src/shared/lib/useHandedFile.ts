import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { memberOf } from "./records";

/** What `navigate` hands to a page that takes a file dropped on another one. */
export const handing = (file: File) => ({ state: { dropped: file } });

/** Takes the file that another page handed over, once. */
export function useHandedFile(take: (file: File) => void) {
  const { state, search, hash } = useLocation();
  const navigate = useNavigate();
  const file = memberOf(state, "dropped");
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another file is taken
  useEffect(() => {
    if (!(file instanceof File)) return;
    take(file);
    // A reload or a step back must not send it again.
    void navigate({ search, hash }, { replace: true, state: null });
  }, [file]);
}
