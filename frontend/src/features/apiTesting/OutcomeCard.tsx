import { Badge, type Tone } from "@/shared/ui/Badge";
import { Card } from "@/shared/ui/Card";
import { EmptyState, Notice } from "@/shared/ui/states";
import type { Outcome } from "./useTrial";

const tones: Record<Outcome["state"], Tone> = {
  running: "info",
  answered: "success",
  failed: "danger",
  cancelled: "warning",
};

/** What came of the request: each attempt with its wait, the timing, the raw envelope. */
export function OutcomeCard({ outcome }: { outcome: Outcome | null }) {
  if (!outcome) {
    return (
      <Card title="Answer">
        <EmptyState title="Nothing sent yet">
          The raw envelope and every attempt appear here.
        </EmptyState>
      </Card>
    );
  }
  const { state, attempts, raw, status, message, durationMs } = outcome;
  return (
    <Card title="Answer">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]}>{state}</Badge>
          {status !== null && <Badge>HTTP {status}</Badge>}
          {durationMs !== null && <Badge>{durationMs} ms</Badge>}
          <Badge>
            {attempts.length} {attempts.length === 1 ? "attempt" : "attempts"}
          </Badge>
        </div>
        {message && <Notice tone={state === "failed" ? "danger" : "warning"}>{message}</Notice>}
        <ol aria-label="Attempts" className="flex flex-col gap-1 text-xs tabular-nums">
          {attempts.map((attempt) => (
            <li key={attempt.startedAt} className="flex flex-wrap gap-x-3">
              <span className="w-16 text-muted">Attempt {attempt.number}</span>
              <span className="w-40">
                {"status" in attempt.outcome
                  ? `HTTP ${attempt.outcome.status}`
                  : attempt.outcome.error}
              </span>
              <span className="w-20">{attempt.durationMs} ms</span>
              {attempt.retryInMs !== null && (
                <span className="text-muted">again after {attempt.retryInMs} ms</span>
              )}
            </li>
          ))}
        </ol>
        {raw !== null && (
          <section
            aria-label="Raw envelope"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
            tabIndex={0}
            className="max-h-[32rem] overflow-auto rounded-control border border-line bg-sunken p-3"
          >
            <pre className="font-mono text-xs">{pretty(raw)}</pre>
          </section>
        )}
      </div>
    </Card>
  );
}

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
