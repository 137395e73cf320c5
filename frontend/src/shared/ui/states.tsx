import { clsx } from "clsx";
import { CircleAlert, CloudOff, LogIn, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { formatCount } from "@/shared/lib/format";
import { useIsAway } from "@/shared/lib/line";
import { askToSignIn } from "@/shared/lib/person";
import { isSessionOver, problemText } from "@/shared/lib/problem";
import { memberOf } from "@/shared/lib/records";
import { Button } from "./Button";
import { drawn, type Icon } from "./icon";
import { Spinner } from "./Spinner";

/** Shown while a page or a section is loading. The text is the specification's. */
export function Loading({ label = "Loading..." }: { label?: string }) {
  return (
    <div
      role="status"
      data-loading=""
      className="flex items-center justify-center gap-2 p-8 text-muted"
    >
      <Spinner />
      <span>{label}</span>
    </div>
  );
}

/** An empty list: what this page is for, and how to add the first entry. */
export function EmptyState(props: {
  title: string;
  children?: ReactNode;
  icon?: Icon;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {props.icon && (
        <span className="mb-1 flex size-11 items-center justify-center rounded-full bg-sunken text-muted">
          {drawn(props.icon, "size-5")}
        </span>
      )}
      <p className="font-medium">{props.title}</p>
      {props.children && <div className="max-w-prose text-muted text-sm">{props.children}</div>}
      {props.actions && (
        <div className="mt-2 flex flex-wrap justify-center gap-2">{props.actions}</div>
      )}
    </div>
  );
}

/** A failed request: the server's message and a retry button. */
export function ErrorState({
  error,
  onRetry,
  title,
}: {
  error: unknown;
  onRetry?: () => void;
  title?: string;
}) {
  const isAway = useIsAway();
  if (isAway && memberOf(error, "failure")) return <NotKept title={title} />;
  const isEnded = isSessionOver(error) && memberOf(error, "code") !== "TOKEN_EXPIRED";
  const isGone = memberOf(error, "status") === 404;
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <CircleAlert aria-hidden="true" className="size-6 text-danger" />
      {title && <p className="font-medium">{title}</p>}
      <p className="max-w-prose text-sm">{problemText(error)}</p>
      {isEnded ? (
        <Button icon={LogIn} onClick={() => askToSignIn()}>
          Sign in again
        </Button>
      ) : (
        onRetry &&
        !isGone && (
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )
      )}
    </div>
  );
}

/** The line is lost, which one strip tells: here only what that means for this place. */
function NotKept({ title }: { title?: string | undefined }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center text-muted text-sm">
      <CloudOff aria-hidden="true" className="size-6" />
      {title && <p className="font-medium text-ink">{title}</p>}
      <p>This loads when the server can be reached.</p>
    </div>
  );
}

type ReadBy<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown };

/**
 * What a query has read. Before that: that it loads, or why it could not. An error of a later
 * request takes the place of older data, unless `keepsData`.
 */
export function Loaded<Data>(props: {
  query: ReadBy<Data>;
  /** Shown for an empty list. */
  empty?: ReactNode;
  keepsData?: boolean;
  /** `data` may be null: that is an answer, too. */
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (error && !(props.keepsData && data)) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Loading />;
  return props.empty !== undefined && isEmpty(data) ? props.empty : props.children(data);
}

/** Whether it is a list, or a page of one, without rows. */
function isEmpty(read: unknown): boolean {
  const rows = typeof read === "object" && read && "data" in read ? read.data : read;
  return Array.isArray(rows) && rows.length === 0;
}

/** A section of the page that failed to load. It must not look empty, so it shows the error. */
export function LoadProblem(props: {
  query: { error: unknown; refetch: () => unknown };
  /** The beginning of the sentence: "Your sources". */
  what: string;
}) {
  const { query, what } = props;
  const isAway = useIsAway();
  if (!query.error) return null;
  if (isAway) return <p className="text-muted text-xs">{what}: no connection yet.</p>;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-x-2 text-danger text-xs">
      <span>
        {what} could not be loaded. {problemText(query.error)}
      </span>
      <Button size="sm" variant="ghost" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </p>
  );
}

/** How what follows an act is read out as it appears. */
const readOut: Record<string, "alert" | "status"> = { danger: "alert", success: "status" };

/** A message that stays: a warning above a form, the reason of a refusal. */
export function Notice(props: {
  tone: "info" | "warning" | "danger" | "success";
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Not read out as it appears: a secret, or what a region around it reads out. */
  quiet?: boolean;
}) {
  const tones = {
    info: "bg-info-tint text-info",
    warning: "bg-warning-tint text-warning",
    danger: "bg-danger-tint text-danger",
    success: "bg-success-tint text-success",
  };
  return (
    <div
      role={(!props.quiet && readOut[props.tone]) || "note"}
      className={clsx(
        "flex flex-wrap items-start gap-x-3 gap-y-2 rounded-control px-3 py-2 text-sm",
        tones[props.tone],
      )}
    >
      <div className="min-w-0 flex-1">
        {props.title && <p className="font-semibold">{props.title}</p>}
        {props.children}
      </div>
      {props.actions}
    </div>
  );
}

/** The progress of a long operation. Without `total` the bar only shows activity. */
export function ProgressBar(props: {
  label: string;
  done: number;
  total: number | null;
  hideLabel?: boolean;
  /** The counted unit is not meaningful to people (bytes): only the share is shown. */
  asPercent?: boolean;
}) {
  const { label, done, total } = props;
  const percent = total ? Math.min(100, Math.max(0, Math.round((done / total) * 100))) : null;
  return (
    <div className="flex w-full flex-col gap-1">
      {!props.hideLabel && (
        <div className="flex justify-between gap-2 text-muted text-xs">
          <span className="min-w-0 truncate">{label}</span>
          <span className="tabular-nums">
            {percent !== null &&
              (props.asPercent ? `${percent} %` : `${formatCount(done)} of ${formatCount(total)}`)}
          </span>
        </div>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div
          style={percent === null ? undefined : { width: `${percent}%` }}
          className={clsx(
            "h-full rounded-full bg-accent",
            percent === null ? "w-1/3 animate-sweep" : "transition-[width] duration-200",
          )}
        />
      </div>
    </div>
  );
}
