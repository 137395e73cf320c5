import { clsx } from "clsx";
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router-dom";
import { Spinner } from "./Spinner";
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
  sm: "h-7 gap-1.5 px-2.5 text-xs pointer-coarse:h-9",
  md: "h-8 gap-2 px-3 text-sm pointer-coarse:h-10",
  lg: "h-11 gap-2 px-5 text-base",
};
const base =
  "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control font-medium transition-colors duration-100";

export function buttonClass(variant: ButtonVariant, size: ButtonSize): string {
  return clsx(base, variants[variant], sizes[size]);
}

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner and takes no clicks; the label stays, so the width does too. */
  loading?: boolean;
  /** Why it cannot be used now. It stays focusable and says so; there is no mute `disabled`. */
  disabledReason?: string | false | null;
  ref?: Ref<HTMLButtonElement>;
};

export function Button(props: ButtonProps) {
  const { variant = "secondary", size = "md", icon, loading, disabledReason } = props;
  const { variant: _v, size: _s, icon: _i, loading: _l, disabledReason: _d, ...rest } = props;
  const blocked = Boolean(disabledReason) || Boolean(loading);
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={blocked || undefined}
      aria-busy={loading || undefined}
      onClick={blocked ? (event: MouseEvent) => event.preventDefault() : rest.onClick}
      className={clsx(
        buttonClass(variant, size),
        blocked && "cursor-not-allowed opacity-55",
        rest.className,
      )}
    >
      {loading ? <Spinner /> : icon}
      {rest.children}
    </button>
  );
  return disabledReason ? <Tooltip text={disabledReason}>{button}</Tooltip> : button;
}

export function ButtonLink(
  props: LinkProps & { variant?: ButtonVariant; size?: ButtonSize; icon?: ReactNode },
) {
  const { variant = "secondary", size = "md", icon, children, className, ...rest } = props;
  return (
    <Link {...rest} className={clsx(buttonClass(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}

export type IconButtonProps = Omit<ButtonProps, "children" | "aria-label"> & {
  /** Read out and shown as tooltip; an icon alone says nothing. */
  label: string;
  icon: ReactNode;
};

export function IconButton({
  label,
  icon,
  variant = "ghost",
  size = "md",
  ...rest
}: IconButtonProps) {
  const square = {
    sm: "w-7 px-0 pointer-coarse:w-9",
    md: "w-8 px-0 pointer-coarse:w-10",
    lg: "w-11 px-0",
  };
  const button = (
    <Button
      {...rest}
      variant={variant}
      size={size}
      aria-label={label}
      className={clsx(square[size], rest.className)}
    >
      {rest.loading ? null : icon}
    </Button>
  );
  return rest.disabledReason ? (
    button
  ) : (
    <Tooltip text={label} describes={false}>
      {button}
    </Tooltip>
  );
}
