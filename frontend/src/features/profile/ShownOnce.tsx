import type { ReactNode } from "react";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Notice } from "@/shared/ui/states";

/** Shows a secret that the server sends only once, with a button to copy it. */
export function ShownOnce(props: { title: string; secret: string; children?: ReactNode }) {
  const { title, secret, children } = props;
  return (
    <Notice quiet tone="success" title={title}>
      <div className="flex flex-wrap items-center gap-3">
        <code className="break-all">{secret}</code>
        <CopyButton label="Copy" text={() => secret} />
        <span>It is not shown again. {children}</span>
      </div>
    </Notice>
  );
}
