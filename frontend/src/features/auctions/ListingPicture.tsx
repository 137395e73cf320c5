import { clsx } from "clsx";
import { Package } from "lucide-react";
import { useState } from "react";
import { mayLoad } from "@/shared/ui/faces";

const sizes = {
  sm: "size-9 rounded-control border border-line",
  wide: "h-44 w-full",
};

/** The listing's picture where the page's policy lets it load, else a drawn parcel. */
export function ListingPicture({ src, size }: { src: string; size: keyof typeof sizes }) {
  const [isBroken, setBroken] = useState(false);
  const shown = src && !isBroken && mayLoad(src);
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden bg-sunken",
        sizes[size],
      )}
    >
      {shown ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-contain"
        />
      ) : (
        <Package className={clsx("text-faint", size === "sm" ? "size-4" : "size-8")} />
      )}
    </span>
  );
}
