import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An icon by its name, or something drawn already where it needs a size or colour of its own. */
export type Icon = LucideIcon | ReactNode;

const isNamed = (icon: Icon): icon is LucideIcon =>
  typeof icon === "object" && icon !== null && "render" in icon;

/** Draws an icon at the size of a button; what it means is said by the label beside it. */
export function drawn(icon: Icon): ReactNode {
  if (!isNamed(icon)) return icon;
  const Named = icon;
  return <Named aria-hidden="true" className="size-4" />;
}
