import { useQuery } from "@tanstack/react-query";
import { formatDateTime } from "@/shared/lib/format";
import { Badge } from "@/shared/ui/Badge";
import { Card } from "@/shared/ui/Card";
import { DestructiveButton } from "@/shared/ui/Destructive";
import { ErrorState, Loading } from "@/shared/ui/states";
import { useEndOtherSessions, useEndSession } from "./mutations";
import { profileQueries } from "./queries";

/** Where this account is signed in, and ways to end one of the other sessions or all of them. */
export function Sessions() {
  const sessions = useQuery(profileQueries.sessions());
  const end = useEndOtherSessions();
  const endOne = useEndSession();
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const here = sessions.data?.filter(({ current }) => current) ?? [];
  return (
    <Card title="Sessions" description="Where you are signed in.">
      {sessions.isError && <ErrorState error={sessions.error} onRetry={() => sessions.refetch()} />}
      {sessions.isPending && <Loading />}
      {sessions.data && (
        <div className="flex flex-col gap-4">
          <ul aria-label="Sessions" className="divide-y divide-line">
            {[...here, ...others].map(({ id, device, lastUsedAt, current }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
                <span className="flex items-center gap-2">
                  {device || "Unknown device"}
                  {current && <Badge tone="success">This one</Badge>}
                </span>
                <span className="flex items-center gap-2">
                  <span className="text-muted text-sm">Last used {formatDateTime(lastUsedAt)}</span>
                  {!current && (
                    <DestructiveButton
                      size="sm"
                      variant="ghost"
                      aria-label={`End session of ${device || "Unknown device"}`}
                      action={{
                        label: "End session",
                        done: "The session has ended",
                        confirm: `${device || "Unknown device"} is signed out at once.`,
                        run: () => endOne.mutateAsync(id),
                      }}
                    />
                  )}
                </span>
              </li>
            ))}
          </ul>
          <div>
            <DestructiveButton
              action={{
                label: "Sign out others",
                done: "The other sessions have ended",
                confirm: `${others.length === 1 ? "One other session ends" : `${others.length} other sessions end`} at once. So do the tokens of programs.`,
                run: () => end.mutateAsync(),
              }}
              disabledReason={others.length === 0 && "You are not signed in anywhere else"}
            />
          </div>
        </div>
      )}
    </Card>
  );
}
