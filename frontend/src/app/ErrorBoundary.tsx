import { Component, type ErrorInfo, type ReactNode } from "react";
import { log } from "@/shared/lib/log";
import { memberOf } from "@/shared/lib/records";
import { Button } from "@/shared/ui/Button";
import { forgetFailedParts } from "@/shared/ui/lazyPart";

type Caught = { error: Error; details: string | null };
type Props = { children: ReactNode; onReload?: () => void };

const BUILD_PROBLEM =
  /Failed to compile|Module build failed|Module not found|Module parse failed|Cannot find module/i;

/** What webpack raises for broken modules, and for a chunk that came and could not be read. */
function isBuildProblem(error: Error & { type?: string }): boolean {
  const unreadable = error.name === "ChunkLoadError" && error.type === "missing";
  return BUILD_PROBLEM.test(error.message) || error instanceof SyntaxError || unreadable;
}

/** Catches rendering errors, so that the rest of the page continues to work. */
export class ErrorBoundary extends Component<Props, { caught: Caught | null }> {
  override state: { caught: Caught | null } = { caught: null };

  static getDerivedStateFromError(thrown: unknown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown ?? ""));
    return { caught: { error, details: null } };
  }

  override componentDidCatch(thrown: unknown, info: ErrorInfo) {
    log.error(`${memberOf(thrown, "name") ?? "Error"}: ${memberOf(thrown, "message") ?? ""}`);
    const details = info.componentStack?.trim() || null;
    this.setState(({ caught }) => ({ caught: caught && { ...caught, details } }));
  }

  dismiss = () => {
    forgetFailedParts();
    this.setState({ caught: null });
  };

  override render() {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    const reload = this.props.onReload ?? (() => window.location.reload());
    return <ErrorScreen {...caught} onReload={reload} onDismiss={this.dismiss} />;
  }
}

function ErrorScreen(props: Caught & { onReload: () => void; onDismiss: () => void }) {
  const { error, details } = props;
  const isBuild = isBuildProblem(error);
  const isChunk = error.name === "ChunkLoadError";
  return (
    <div role="alert" className="mx-auto flex max-w-2xl flex-col gap-3 px-6 py-16">
      <h1 className="font-semibold text-xl">{isBuild ? "Build Error" : "Application Error"}</h1>
      <p className="break-words text-muted">
        {error.message || "An unexpected error happened in the component."}
      </p>
      {isChunk && (
        <p>
          <strong>ChunkLoadError</strong>: a part of the page could not be fetched. The connection
          may have dropped, or a new version was installed. Reloading gets the current one.
        </p>
      )}
      {details && (
        <details className="rounded-control border border-line bg-sunken px-3 py-2 text-xs">
          <summary className="font-medium">Details</summary>
          <pre className="mt-2 overflow-x-auto whitespace-pre-wrap font-mono">{details}</pre>
        </details>
      )}
      <div className="mt-2 flex gap-2">
        <Button variant="primary" onClick={props.onReload}>
          Reload Page
        </Button>
        <Button onClick={props.onDismiss}>Dismiss Error</Button>
      </div>
    </div>
  );
}
