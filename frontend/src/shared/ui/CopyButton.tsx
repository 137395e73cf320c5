import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./Button";
import { copyText } from "./copyText";

/** Copies a text to the clipboard and shows "Copied" for two seconds. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => setCopied(await copyText(text()));
  const Icon = copied ? Check : Copy;
  return (
    <Button icon={Icon} onClick={() => void copy()}>
      {copied ? "Copied" : label}
    </Button>
  );
}
