import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./Button";
import { toast } from "./toast";

/** Puts a text on the clipboard, and says so on itself for two seconds. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = () =>
    copyText(text()).then(
      () => setCopied(true),
      () => toast.error("The browser did not let the text be copied."),
    );
  const Icon = copied ? Check : Copy;
  return (
    <Button icon={Icon} onClick={() => void copy()}>
      {copied ? "Copied" : label}
    </Button>
  );
}

async function copyText(text: string): Promise<void> {
  // Plain http beyond localhost has no clipboard.
  if (!navigator.clipboard) throw new Error("no clipboard");
  await navigator.clipboard.writeText(text);
}
