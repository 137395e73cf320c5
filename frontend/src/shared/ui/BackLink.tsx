import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./Button";

/** A link from one thing back to the list of them, above its title. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <div className="-ml-2 pb-1">
      <ButtonLink
        to={to}
        variant="ghost"
        size="sm"
        className="max-w-full"
        icon={<ArrowLeft aria-hidden="true" className="size-4 shrink-0" />}
      >
        <span className="truncate">{children}</span>
      </ButtonLink>
    </div>
  );
}
