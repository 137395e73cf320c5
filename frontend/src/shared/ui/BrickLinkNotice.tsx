import { clsx } from "clsx";

/** What BrickLink's terms ask for on pages with its figures, word by word. */
export function BrickLinkNotice({ className }: { className?: string }) {
  return (
    <p className={clsx("text-center text-muted text-xs", className)}>
      The term &lsquo;BrickLink&rsquo; is a trademark of the LEGO Group BrickLink. This application
      uses the BrickLink API but is not endorsed or certified by LEGO BrickLink, Inc.
    </p>
  );
}
