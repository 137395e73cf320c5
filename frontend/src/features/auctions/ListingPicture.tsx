import { clsx } from "clsx";
import { Package } from "lucide-react";
import { useState } from "react";
import { mayLoad } from "@/shared/ui/faces";

/** The listing's picture where the page's policy lets it load, else a drawn parcel. */
export function ListingPicture({ src, size = "md" }: { src: string; size?: "sm" | "md" }) {
  const [isBroken, setBroken] = useState(false);
  const shown = src && !isBroken && mayLoad(src);
  return (
    <span
      aria-hidden="true"
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-control border border-line bg-sunken",
        size === "sm" ? "size-9" : "size-24",
      )}
    >
      {shown ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Package className={clsx("text-faint", size === "sm" ? "size-4" : "size-8")} />
      )}
    </span>
  );
}
