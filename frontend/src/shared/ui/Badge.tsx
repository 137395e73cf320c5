import { clsx } from "clsx";
import type { ReactNode } from "react";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger" | "info";

const tones: Record<Tone, string> = {
  neutral: "bg-sunken text-muted",
  accent: "bg-accent-tint text-accent-ink",
  success: "bg-success-tint text-success",
  warning: "bg-warning-tint text-warning",
  danger: "bg-danger-tint text-danger",
  info: "bg-info-tint text-info",
};

/**
 * A short text for a state. The tone only repeats the text, since colour alone is not accessible.
 */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={clsx(
        "inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-full px-2 font-medium text-xs tabular-nums",
        tones[tone],
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** A key of the keyboard, with its label. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-edge/50 border-b-2 bg-surface px-1 font-sans text-[11px] text-muted">
      {children}
    </kbd>
  );
}

/** The key of a button that has its name already; not where there are no keys. */
export const KeyHint = ({ children }: { children: ReactNode }) => (
  <span aria-hidden="true" className="pointer-coarse:hidden">
    <Kbd>{children}</Kbd>
  </span>
);

/** A colour of a part, beside its name. Without a colour a hatched square. */
export function ColorSwatch({
  html,
  size = "sm",
}: {
  html: string | null | undefined;
  size?: "sm" | "lg";
}) {
  const known = html && /^#?[0-9a-f]{6}$/i.test(html);
  return (
    <span
      aria-hidden="true"
      data-painted=""
      style={known ? { backgroundColor: html.startsWith("#") ? html : `#${html}` } : undefined}
      className={clsx(
        "inline-block shrink-0 rounded-[3px] border border-edge/70",
        size === "lg" ? "size-5" : "size-3.5",
        !known && "bg-[repeating-linear-gradient(45deg,var(--line)_0_2px,transparent_2px_4px)]",
      )}
    />
  );
}
