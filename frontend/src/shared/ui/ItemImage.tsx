import { clsx } from "clsx";
import { useEffect, useState } from "react";
import type { ItemType } from "@/shared/lib/itemTypes";
import { canReach, isAway, onLineBack } from "@/shared/lib/line";
import { lackOf, mayLoad, sourcesFor } from "./faces";
import { silhouetteOf, silhouettes } from "./silhouettes";

/** `fit` is as large as `xl` only where its container is wide; `tile` fills its tile, `wide` its width,
 * `card` the upper part of a card. */
const sizes = {
  xs: ["size-8", 32],
  sm: ["size-10 in-data-compact:size-7", 40],
  row: ["size-16 lg:size-12", 64],
  md: ["size-16", 64],
  lg: ["size-32", 128],
  fit: ["size-20 @lg:size-40", 160],
  xl: ["size-40", 160],
  wide: ["h-20 w-full @xl:h-24 @5xl:h-52", 256],
  tile: ["aspect-square w-full", 128],
  card: ["aspect-4/3 w-full", 192],
} as const;

/**
 * The picture of an item, or the silhouette of its kind in its colour. Its background is fixed, so
 * that black and white parts are visible in both themes. A large one opens on hover and focus.
 */
export function ItemImage(props: {
  src: string | null | undefined;
  type: ItemType;
  /** The item's name, read out; it also decides the silhouette. */
  name?: string;
  colorName?: string | null;
  colorHtml?: string | null;
  size?: keyof typeof sizes;
}) {
  const { src, type, name = "", colorName, colorHtml, size = "sm" } = props;
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => (broken ? onLineBack(() => setBroken(null)) : undefined), [broken]);
  const shown = src && src !== broken && mayLoad(src) ? src : null;
  const [box, pixels] = sizes[size];
  const words = [name, colorName].filter(Boolean).join(", ");
  const lack = shown && lackOf(shown);
  return (
    <span
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-control bg-linear-to-b from-ground to-ground-low",
        box,
      )}
      {...(shown || !words ? {} : { role: "img", "aria-label": words })}
      data-face={shown ?? undefined}
      data-face-name={words || undefined}
    >
      {shown ? (
        <img
          {...sourcesFor(shown, pixels)}
          width={pixels}
          height={pixels}
          alt={words && lack ? `${words} (${lack})` : words}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => {
            setBroken(shown);
            // Only a picture of our own server says anything about it.
            if (!isAway() && shown.startsWith("/")) void canReach();
          }}
          className="size-full object-contain"
        />
      ) : (
        <Silhouette type={type} name={name} colorHtml={colorHtml} />
      )}
    </span>
  );
}

const isColor = (html: string | null | undefined): html is string =>
  Boolean(html && /^#?[0-9a-f]{6}$/i.test(html));

function Silhouette(props: { type: ItemType; name: string; colorHtml?: string | null }) {
  const { type, name, colorHtml } = props;
  const shape = silhouetteOf(type, name);
  const fill = isColor(colorHtml) ? `#${colorHtml.replace("#", "")}` : "#c3c6cb";
  return (
    <svg aria-hidden="true" viewBox="0 0 36 36" className="size-full" data-shape={shape}>
      <g fill={fill} stroke="#55555c" strokeWidth="1" strokeLinejoin="round">
        {silhouettes[shape]}
      </g>
    </svg>
  );
}
