import { Link } from "react-router-dom";
import { productName } from "@/shared/lib/pageMeta";

/** The product's name with its mark, as a link. `isShort`: on a phone the mark alone is seen. */
export function Brand({ to, isShort = false }: { to: string; isShort?: boolean }) {
  return (
    <Link to={to} className="flex shrink-0 items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6">
        <rect width="32" height="32" rx="7" fill="var(--accent)" />
        <path d="M8 11V8.5h5V11h6V8.5h5V11h1v13H7V11z" fill="#fff" />
        <path
          d="M11 17h10M16 13.5v7"
          stroke="var(--accent)"
          strokeWidth="2.4"
          strokeLinecap="round"
        />
      </svg>
      <span className={isShort ? "max-sm:sr-only" : undefined}>{productName()}</span>
    </Link>
  );
}
