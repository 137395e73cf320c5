import { clsx } from "clsx";
import type { ButtonHTMLAttributes, MouseEvent, Ref } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { may, type Operation } from "@/shared/lib/role";
import { drawn, type Icon } from "./icon";
import { Spinner } from "./Spinner";
import { isSecondPress } from "./secondPress";
import { Tooltip } from "./Tooltip";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong active:bg-accent-strong",
  secondary:
    "border border-line bg-surface text-ink shadow-card hover:border-edge hover:bg-hover active:bg-sunken",
  ghost: "text-ink hover:bg-hover active:bg-sunken",
  danger: "bg-danger-solid text-on-accent hover:bg-danger-strong active:bg-danger-strong",
};
const sizes: Record<ButtonSize, string> = {
  sm: "h-7 gap-1.5 text-xs pointer-coarse:h-9",
  md: "h-8 gap-2 text-sm pointer-coarse:h-10",
  lg: "h-11 gap-2 text-base",
};
const paddings: Record<ButtonSize, string> = { sm: "px-2.5", md: "px-3", lg: "px-5" };
const squares: Record<ButtonSize, string> = {
  sm: "w-7 pointer-coarse:w-9",
  md: "w-8 pointer-coarse:w-10",
  lg: "w-11",
};
const base =
  "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control font-medium transition-colors duration-100";

function buttonClass(variant: ButtonVariant, size: ButtonSize, square = false): string {
  return clsx(base, variants[variant], sizes[size], (square ? squares : paddings)[size]);
}

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: Icon;
  /** Shows a spinner and ignores clicks. The label stays, and so does the width. */
  loading?: boolean;
  /**
   * Counts a double click as one press. The default for buttons with `loading` and for those that
   * submit a form, since these write.
   */
  once?: boolean;
  /** Why it cannot be used now. The button stays focusable and shows the reason. */
  disabledReason?: string | false | null;
  /** Left out where the person's role does not allow it. */
  needs?: Operation;
  ref?: Ref<HTMLButtonElement>;
};

type BaseProps = Omit<ButtonProps, "icon"> & { square: boolean; tip: string | null };

/**
 * The tooltip wraps the button in every state, so that a button that becomes disabled keeps its
 * focus.
 */
function Base(props: BaseProps) {
  const { variant, size, loading, once, disabledReason, needs, square, tip, ...rest } = props;
  const blocked = Boolean(disabledReason) || Boolean(loading);
  const writes = once || loading !== undefined || rest.type === "submit";
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    const isSecond = writes && isSecondPress(event);
    if (blocked || isSecond) event.preventDefault();
    else rest.onClick?.(event);
  };
  if (needs && !may(needs)) return null;
  return (
    <Tooltip text={disabledReason || tip} describes={Boolean(disabledReason)}>
      <button
        type="button"
        {...rest}
        aria-disabled={blocked || undefined}
        aria-busy={loading || undefined}
        data-primary={variant === "primary" || undefined}
        onClick={press}
        className={clsx(
          buttonClass(variant ?? "secondary", size ?? "md", square),
          blocked && "cursor-not-allowed opacity-55",
          rest.className,
        )}
      >
        {rest.children}
      </button>
    </Tooltip>
  );
}

export function Button({ icon, children, ...rest }: ButtonProps) {
  return (
    <Base {...rest} square={false} tip={null}>
      {rest.loading ? <Spinner /> : drawn(icon)}
      {children}
    </Base>
  );
}

/** A button with a look of its own, such as a picture to press. A double click is one press. */
export function PlainButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isSecondPress(event)) props.onClick?.(event);
  };
  return <button type="button" {...props} onClick={press} />;
}

/** A button that is on or off. */
export function ToggleButton({
  on,
  onToggle,
  ...rest
}: Omit<ButtonProps, "onToggle" | "onClick"> & { on: boolean; onToggle: (on: boolean) => void }) {
  return (
    <Button
      variant="ghost"
      {...rest}
      className={on ? "bg-accent-tint" : undefined}
      aria-pressed={on}
      onClick={() => onToggle(!on)}
    />
  );
}

export function ButtonLink(
  props: LinkProps & { variant?: ButtonVariant; size?: ButtonSize; icon?: Icon },
) {
  const { variant = "secondary", size = "md", icon, children, className, ...rest } = props;
  return (
    <Link
      {...rest}
      data-primary={variant === "primary" || undefined}
      className={clsx(buttonClass(variant, size), className)}
    >
      {drawn(icon)}
      {children}
    </Link>
  );
}

export type IconButtonProps = Omit<ButtonProps, "children" | "aria-label"> & {
  /** Read out and shown as tooltip, since an icon alone has no text. */
  label: string;
  icon: Icon;
};

export function IconButton({ label, icon, variant = "ghost", ...rest }: IconButtonProps) {
  return (
    <Base {...rest} variant={variant} aria-label={label} square tip={label}>
      {rest.loading ? <Spinner /> : drawn(icon)}
    </Base>
  );
}
