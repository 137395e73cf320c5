import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { marketplaceQueries } from "@/features/marketplace/public";
import { formatDateTime } from "@/shared/lib/format";
import { problemText } from "@/shared/lib/problem";
import { Button } from "@/shared/ui/Button";
import { CopyButton } from "@/shared/ui/CopyButton";
import { ConfirmDialog } from "@/shared/ui/Destructive";
import { Field, Input } from "@/shared/ui/Field";
import { useSideQuery } from "@/shared/ui/sideQuery";
import { LoadProblem, Notice } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useForgetHook, useMakeHook } from "./mutations";
import { orderQueries } from "./queries";

/** The address that the connected store calls when an order comes or changes. */
export function HookSettings() {
  const connection = useSideQuery(marketplaceQueries.connection(), "your store's connection");
  // Another marketplace is not asked for its orders.
  if (connection?.marketplace !== "bricklink" || connection.state === "none") return null;
  return <Hook isDemo={connection.is_demo} />;
}

const ASKED = {
  renew: {
    title: "Make a new address?",
    confirm: "Make a new address",
    demo: "The old address no longer works. The demo store uses the new one.",
    real: "The old address no longer works: enter the new one at BrickLink in its place.",
  },
  forget: {
    title: "Listen no more?",
    confirm: "Remove the address",
    demo: "Orders still come with each refresh and sync.",
    real: "Orders still come with each refresh and sync. Remove the address at BrickLink as well.",
  },
} as const;

function Hook({ isDemo }: { isDemo: boolean }) {
  const hook = useQuery(orderQueries.hook());
  const make = useMakeHook();
  const forget = useForgetHook();
  const [isShown, setShown] = useState(false);
  const [asked, setAsked] = useState<keyof typeof ASKED | null>(null);
  const address = hook.data?.address ?? null;
  const heardAt = hook.data?.heardAt ?? null;
  const failure = make.error ?? forget.error;
  const renew = () =>
    make.mutate(undefined, { onSuccess: () => setShown(true), onSettled: () => setAsked(null) });

  return (
    <section
      aria-labelledby="order-hook"
      className="flex flex-col gap-3 border-line border-t px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 id="order-hook" className="font-medium">
          Get new orders at once
        </h3>
        <span className="text-muted text-xs">account</span>
      </div>
      <p className="max-w-prose text-muted">
        {isDemo
          ? "The demo store calls this address when an order comes or changes, and is then read."
          : "Enter this address at BrickLink where your API tokens are, as the callback for order updates. When it is called, your store is read. The call's own content is ignored."}
      </p>
      <LoadProblem query={hook} what="The address" />
      {failure && <Notice tone="danger">{problemText(failure)}</Notice>}
      {hook.data && address === null && (
        <div>
          <Button loading={make.isPending} onClick={renew}>
            Make an address
          </Button>
        </div>
      )}
      {address !== null && (
        <>
          <Field
            label="Address for hints"
            hint={`It contains a secret: share it only with the store. ${heardAt ? `Last message ${formatDateTime(heardAt)}.` : "No message yet."}`}
          >
            <Input
              readOnly
              value={isShown ? address : hidden(address)}
              onFocus={(event) => isShown && event.target.select()}
              className="font-mono"
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? "Hide" : "Show"}
            </Button>
            <CopyButton label="Copy" text={() => address} />
            <Button onClick={() => setAsked("renew")}>Make a new one</Button>
            <Button variant="ghost" onClick={() => setAsked("forget")}>
              Remove
            </Button>
          </div>
        </>
      )}
      {asked && (
        <ConfirmDialog
          title={ASKED[asked].title}
          confirmLabel={ASKED[asked].confirm}
          running={make.isPending || forget.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() =>
            asked === "renew"
              ? renew()
              : forget.mutate(undefined, {
                  onSuccess: () => toast.success("The address was removed"),
                  onSettled: () => setAsked(null),
                })
          }
        >
          {ASKED[asked][isDemo ? "demo" : "real"]}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** All of an address but its secret, which is what comes after the last slash. */
const hidden = (address: string): string =>
  `${address.slice(0, address.lastIndexOf("/") + 1)}${"•".repeat(12)}`;
