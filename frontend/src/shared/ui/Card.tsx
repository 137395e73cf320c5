import { clsx } from "clsx";
import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { helpOf } from "@/shared/lib/help";

/** A bordered surface with an optional heading row. `level` is the heading's rank on its page. */
export function Card(props: {
  title?: ReactNode;
  level?: 2 | 3;
  description?: ReactNode;
  actions?: ReactNode;
  padded?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const { title, level = 2, description, actions, padded = true, className, children } = props;
  const Heading = `h${level}` as const;
  return (
    <section className={clsx("rounded-card border border-line bg-surface shadow-card", className)}>
      {title && (
        <header className="flex flex-wrap items-start justify-between gap-2 px-4 pt-3.5">
          <div className="min-w-0">
            <Heading className="font-semibold text-sm">{title}</Heading>
            {description && (
              <p className="wrap-anywhere mt-0.5 text-muted text-xs">{description}</p>
            )}
          </div>
          {actions && <div className="-my-1">{actions}</div>}
        </header>
      )}
      <div className={padded ? "p-4" : undefined}>{children}</div>
    </section>
  );
}

/** The head of every page: its name, a line about it, its main actions. */
export function PageHeader(props: {
  title: ReactNode;
  /** Its state, and switches of its own: beside the name, no part of it. */
  beside?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
      <div className="min-w-0">
        <div className={clsx("flex items-center gap-1", props.beside && "flex-wrap")}>
          <h1 className="truncate font-semibold text-xl tracking-tight">{props.title}</h1>
          {props.beside && (
            <div className="ml-1 inline-flex flex-wrap items-center gap-2">{props.beside}</div>
          )}
          <HelpLink />
        </div>
        {props.description && (
          <p className="wrap-anywhere mt-0.5 line-clamp-4 text-muted text-sm">
            {props.description}
          </p>
        )}
      </div>
      {props.actions && (
        // On a phone the primary button comes first, elsewhere last.
        <div
          data-head
          className="flex flex-wrap items-center gap-2 max-sm:[&_.bg-accent]:order-first sm:[&_.bg-accent]:order-last"
        >
          {props.actions}
        </div>
      )}
    </header>
  );
}

/** Leads to what the documentation says of the page. */
function HelpLink() {
  const { pathname } = useLocation();
  return (
    <a
      href={helpOf(pathname)}
      target="_blank"
      rel="noreferrer"
      aria-label="Help for this page"
      title="Help for this page"
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-faint hover:bg-hover hover:text-ink pointer-coarse:size-10"
    >
      <CircleHelp aria-hidden="true" className="size-4" />
    </a>
  );
}

/** Standard padding of a page inside the shell; `narrow` for forms and text, `wide` for tables. */
export function Page(props: { narrow?: boolean; wide?: boolean; children: ReactNode }) {
  const width = props.narrow ? "max-w-3xl" : props.wide ? "" : "max-w-[110rem]";
  return <div className={clsx("mx-auto w-full px-4 py-5 sm:px-6", width)}>{props.children}</div>;
}
