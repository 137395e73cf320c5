import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { problemText } from "@/shared/lib/problem";
import { ActDialog } from "@/shared/ui/ActDialog";
import { ErrorState, Loading } from "@/shared/ui/states";
import type { Preview } from "./usePreview";

/**
 * An act whose options (`children`) are chosen first, and whose result is shown before it is done.
 * The button waits for the preview of the chosen options.
 */
export function PreviewedActDialog<Result>({
  preview,
  missing,
  idle,
  show,
  loading = "Calculating the preview",
  waiting = "Wait for the preview",
  children,
  ...dialog
}: Omit<ComponentProps<typeof ActDialog>, "why"> & {
  preview: Preview<Result>;
  /** Which option is missing. */
  missing?: string | null | false;
  /** Why there is nothing to do with this result; false where there is. */
  idle?: (result: Result) => string | boolean;
  show: (result: Result) => ReactNode;
  loading?: string;
  /** What the button says while the preview is on its way. */
  waiting?: string;
  children?: ReactNode;
}) {
  const { result, error, isStale, retry } = preview;
  const whyIdle = result !== undefined && idle?.(result);
  const why =
    missing ||
    (error
      ? problemText(error)
      : result === undefined || isStale
        ? !dialog.pending && waiting
        : whyIdle === true
          ? "Nothing would change"
          : whyIdle);
  return (
    <ActDialog {...dialog} why={why}>
      <div className="flex flex-col gap-4">
        {children}
        {error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : result !== undefined ? (
          <div className={clsx("flex flex-col gap-4", isStale && "opacity-60")} aria-busy={isStale}>
            {show(result)}
          </div>
        ) : (
          !missing && <Loading label={loading} />
        )}
      </div>
    </ActDialog>
  );
}
