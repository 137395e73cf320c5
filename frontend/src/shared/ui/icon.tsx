import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An icon by its name, or an element where it needs its own size or colour. */
export type Icon = LucideIcon | ReactNode;

const isNamed = (icon: Icon): icon is LucideIcon =>
  typeof icon === "object" && icon !== null && "render" in icon;

/**
 * Draws an icon, in the size of a button unless another one is given. It is hidden from screen
 * readers; the label beside it gives the meaning.
 */
export function drawn(icon: Icon, size = "size-4"): ReactNode {
  if (!isNamed(icon)) return icon;
  const Named = icon;
  return <Named aria-hidden="true" className={size} />;
}
