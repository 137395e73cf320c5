import { isUploading } from "@/shared/api/uploads";
import { listSettings } from "@/shared/lib/localSettings";
import { UNSENT } from "@/shared/lib/person";

/**
 * Whether signing out would lose anything: what stops a reload (typed input, edits on their way),
 * and what is kept over a reload but not for another person.
 */
export function isAnythingUnsaved(): boolean {
  const asked = new Event("beforeunload", { cancelable: true });
  return (
    !window.dispatchEvent(asked) ||
    isUploading() ||
    listSettings().some((name) => name.startsWith(UNSENT))
  );
}
