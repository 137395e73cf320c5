import { Package } from "lucide-react";
import { useState } from "react";
import { mayLoad } from "@/shared/ui/ItemImage";

/** The listing's picture where the page's policy lets it load, else a drawn parcel. */
export function ListingPicture({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false);
  const shown = src && !isBroken && mayLoad(src);
  return (
    <span
      aria-hidden="true"
      className="flex size-24 shrink-0 items-center justify-center overflow-hidden rounded-control border border-line bg-sunken"
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
        <Package className="size-8 text-faint" />
      )}
    </span>
  );
}
