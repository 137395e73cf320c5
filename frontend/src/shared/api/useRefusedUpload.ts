import { useEffect, useState } from "react";
import { log } from "@/shared/lib/log";
import { problemText } from "@/shared/lib/problem";
import { forgetLeft, type RefusedUpload, refusedUpload } from "./keptUploads";

/**
 * The upload that a reload interrupted and the server then refused, by the key in the address:
 * undefined while loading, null where there is none. It is kept until `forget`.
 */
export function useRefusedUpload(key: string | undefined): {
  refused: RefusedUpload | null | undefined;
  forget: () => void;
} {
  const [refused, setRefused] = useState<RefusedUpload | null | undefined>(key ? undefined : null);
  useEffect(() => {
    if (!key) return;
    refusedUpload(key).then(setRefused, (error: unknown) => {
      log.warn(`A refused upload cannot be read: ${problemText(error)}`);
      setRefused(null);
    });
  }, [key]);
  return { refused, forget: () => key && forgetLeft(key) };
}
