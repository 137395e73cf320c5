import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";

/** Why it was refused. It takes the focus, so that it is read out and seen. */
export function FormAlert({ message }: { message: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message takes the focus again
  useEffect(() => box.current?.focus(), [message]);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex items-start gap-2 rounded-control bg-danger-tint px-3 py-2 text-danger"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{message}</span>
    </div>
  );
}
