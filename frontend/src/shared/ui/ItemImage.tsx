import { clsx } from "clsx";
import { useState } from "react";
import type { ItemType } from "@/shared/lib/itemTypes";
import { imageHosts } from "@/shared/lib/pageMeta";

/** `fit` is as large as `lg` only where its container is wide. */
const sizes = {
  sm: "size-9",
  md: "size-14",
  fit: "size-20 @lg:size-32",
  lg: "size-32",
} as const;

/** Whether the page's policy lets a picture come from there. Asking all the same costs an error
 * in the console for each row. */
export function mayLoad(src: string): boolean {
  if (src.startsWith("data:image/")) return true;
  try {
    const { origin } = new URL(src, window.location.href);
    return origin === window.location.origin || imageHosts().includes(origin);
  } catch {
    return false;
  }
}

/** The picture of an item, or a drawing of its kind in its colour. Its name stands beside it. */
export function ItemImage(props: {
  src: string | null | undefined;
  type: ItemType;
  colorHtml?: string | null;
  size?: keyof typeof sizes;
}) {
  const { src, type, colorHtml, size = "sm" } = props;
  const [broken, setBroken] = useState<string | null>(null);
  const shown = src && src !== broken && mayLoad(src) ? src : null;
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-control border border-line bg-surface",
        sizes[size],
      )}
    >
      {shown ? (
        <img
          src={shown}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(shown)}
          className="size-full object-contain p-0.5"
        />
      ) : (
        <Drawing type={type} colorHtml={colorHtml} />
      )}
    </span>
  );
}

const isColor = (html: string | null | undefined): html is string =>
  Boolean(html && /^#?[0-9a-f]{6}$/i.test(html));

function Drawing({ type, colorHtml }: { type: ItemType; colorHtml?: string | null }) {
  const fill = isColor(colorHtml) ? `#${colorHtml.replace("#", "")}` : "var(--line)";
  return (
    <svg aria-hidden="true" viewBox="0 0 36 36" className="size-full">
      <g fill={fill} stroke="var(--edge)" strokeWidth="1" strokeLinejoin="round">
        {shapes[shapeOf[type]]}
      </g>
    </svg>
  );
}

const shapeOf: Record<ItemType, keyof typeof shapes> = {
  PART: "brick",
  GEAR: "tag",
  MINIFIG: "figure",
  SET: "box",
  BOOK: "paper",
  INSTRUCTION: "paper",
  ORIGINAL_BOX: "box",
  CATALOG: "paper",
  UNSORTED_LOT: "heap",
};

const shapes = {
  brick: (
    <>
      <path d="M10 13v-3h5v3M21 13v-3h5v3" />
      <path d="M6 13h24v13H6z" />
      <path d="M6 13h24v3H6z" opacity=".55" stroke="none" fill="var(--surface)" />
    </>
  ),
  figure: (
    <>
      <path d="M15 7h6v2h-6z" />
      <rect x="13.5" y="9" width="9" height="7" rx="2" />
      <path d="M12 17h12l2 9h-5v4h-6v-4h-5z" />
    </>
  ),
  box: (
    <>
      <path d="M7 13l11-5 11 5-11 5z" />
      <path d="M7 13v11l11 5V18zM29 13v11l-11 5V18z" />
    </>
  ),
  paper: (
    <>
      <path d="M10 6h11l5 5v19H10z" />
      <path d="M21 6v5h5M14 17h8M14 21h8M14 25h5" fill="none" />
    </>
  ),
  tag: (
    <>
      <path d="M8 10h11l9 9-9 9L8 18z" />
      <circle cx="13" cy="15" r="1.6" fill="var(--surface)" />
    </>
  ),
  heap: (
    <>
      <path d="M6 20h9v7H6zM17 21h13v6H17zM12 12h12v8H12z" />
      <path d="M15 12v-2h3v2M20 12v-2h3v2" />
    </>
  ),
};
