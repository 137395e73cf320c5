import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router-dom";
import { log } from "@/shared/lib/log";
import { Button } from "@/shared/ui/Button";

/** Shows errors of loading and routing, outside of every error boundary. */
export function RouterErrorScreen() {
  const error = useRouteError();
  const message = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : error instanceof Error
      ? error.message
      : String(error);
  useEffect(() => log.error(`Router: ${message}`), [message]);

  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center gap-3 px-6">
      <h1 className="font-semibold text-xl">Unexpected Application Error!</h1>
      <p role="alert" className="break-words text-muted">
        {message}
      </p>
      <div>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload Page
        </Button>
      </div>
    </main>
  );
}
